# SPDX-License-Identifier: Apache-2.0
"""What Tools/plant-bugs plants."""
