# SPDX-License-Identifier: Apache-2.0
"""Stays that servers rebuild from what a sink sent them."""
