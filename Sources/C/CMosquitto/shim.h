// SPDX-License-Identifier: Apache-2.0
// libmosquitto, and MQTT 5's names of properties.
#pragma once

#include <mosquitto.h>
#include <mqtt_protocol.h>
