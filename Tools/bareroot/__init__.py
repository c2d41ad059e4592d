# SPDX-License-Identifier: Apache-2.0
"""A bare Debian in separate namespaces, and the checks in it (Tools/check-package)."""
