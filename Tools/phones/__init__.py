# SPDX-License-Identifier: Apache-2.0
"""What real phones told on scripted days (MobilityNet), and how to hold a replay beside it."""
