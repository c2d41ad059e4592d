# SPDX-License-Identifier: Apache-2.0
"""A bare Debian in namespaces of its own, and what is proved in it (Tools/check-package)."""
