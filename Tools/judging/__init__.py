# SPDX-License-Identifier: Apache-2.0
"""Tables and drawings of what policies do on the same trips."""
