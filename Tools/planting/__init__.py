# SPDX-License-Identifier: Apache-2.0
"""The bugs of Tools/plant-bugs."""
