# SPDX-License-Identifier: Apache-2.0
"""Trips handed over to `milepost --stream`."""
