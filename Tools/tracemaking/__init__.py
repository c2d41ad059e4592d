# SPDX-License-Identifier: Apache-2.0
"""Synthetic traces with a known truth. Independent of the Swift code on purpose."""
