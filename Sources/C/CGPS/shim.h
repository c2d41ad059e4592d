// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of libgps that Swift cannot use: unions, arrays of characters, macros with suffixes. Differences
// of names and types between the versions of libgps stay in this file: `gps_unpack` takes
// `char *` in 3.22 and `const char *` upstream; a plain `char *` goes into both.

#include <gps.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// The values of one line in libgps' structure. Numbers are NaN if libgps has none.
struct cgps_report {
  uint64_t set;
  int64_t time_seconds;
  int64_t time_nanoseconds;
  int mode;
  double latitude, longitude;
  double altitude_ellipsoid, altitude_sea, geoid_separation;
  double speed, track;
  double eph, epx, epy, epv, eps, epd;
  double hdop;
  int satellites_used;
  int protocol_major, protocol_minor;
  char device[128];
  char release[64];
};

enum cgps_constant {
  CGPS_API_MAJOR = GPSD_API_MAJOR_VERSION,
  CGPS_API_MINOR = GPSD_API_MINOR_VERSION,
};

static const uint64_t cgps_time_set = TIME_SET;
static const uint64_t cgps_position_set = LATLON_SET;
static const uint64_t cgps_altitude_set = ALTITUDE_SET;
static const uint64_t cgps_speed_set = SPEED_SET;
static const uint64_t cgps_track_set = TRACK_SET;
static const uint64_t cgps_mode_set = MODE_SET;
static const uint64_t cgps_satellites_set = SATELLITE_SET;
static const uint64_t cgps_version_set = VERSION_SET;

static inline struct gps_data_t *cgps_make(void) {
  return (struct gps_data_t *)calloc(1, sizeof(struct gps_data_t));
}

static inline void cgps_free(struct gps_data_t *data) { free(data); }

/// Unpacks one line, which ends in NUL, into a zeroed structure and copies the values out.
static inline struct cgps_report cgps_unpack(struct gps_data_t *data, char *line) {
  struct cgps_report report;
  memset(data, 0, sizeof *data);
  memset(&report, 0, sizeof report);
  (void)gps_unpack(line, data);
  report.set = data->set;
  report.time_seconds = (int64_t)data->fix.time.tv_sec;
  report.time_nanoseconds = (int64_t)data->fix.time.tv_nsec;
  report.mode = data->fix.mode;
  report.latitude = data->fix.latitude;
  report.longitude = data->fix.longitude;
  report.altitude_ellipsoid = data->fix.altHAE;
  report.altitude_sea = data->fix.altMSL;
  report.geoid_separation = data->fix.geoid_sep;
  report.speed = data->fix.speed;
  report.track = data->fix.track;
  report.eph = data->fix.eph;
  report.epx = data->fix.epx;
  report.epy = data->fix.epy;
  report.epv = data->fix.epv;
  report.eps = data->fix.eps;
  report.epd = data->fix.epd;
  report.hdop = data->dop.hdop;
  report.satellites_used = data->satellites_used;
  strncpy(report.device, data->dev.path, sizeof report.device - 1);
  if ((data->set & VERSION_SET) != 0) {
    report.protocol_major = data->version.proto_major;
    report.protocol_minor = data->version.proto_minor;
    strncpy(report.release, data->version.release, sizeof report.release - 1);
  }
  return report;
}
