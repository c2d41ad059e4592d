// SPDX-License-Identifier: Apache-2.0

// The activity log: JSON lines, one record each, in the order of time.
//
//     {"at_s":0,"component":"gnss","state":"acquire_cold"}
//     {"at_s":25.5,"component":"gnss","state":"track_good"}
//     {"at_s":12,"component":"cell","upload_bytes":10240,"download_bytes":0,"rate_mbps":2}
//     {"at_s":12,"component":"cell","wake":true}            the modem reports a change of cell
//     {"at_s":60,"component":"wifi","scan":true}
//     {"at_s":61,"component":"wifi","upload_bytes":512}
//     {"at_s":70,"component":"soc","state":"awake_idle"}
//     {"at_s":70,"component":"soc","event":"launch"}        or wake, or delivery
//     {"at_s":70,"component":"sensor","motion":true}        armed, or not
//     {"at_s":71,"component":"flash","commit":true}
//     {"at_s":80,"metering":false}                          unknown from here on
//     {"at_s":90,"metering":true}
//     {"at_s":120,"end":true}
//
// `at_s` is the moment of the request in seconds, to the microsecond, so that metering a written log
// gives the very joules of the run that wrote it. Numbers may carry up to six decimals; more are
// rounded. Absent bytes are 0; without `rate_mbps` the network profile's own rate holds. Keys that
// are not known are refused, because a misspelt one would silently change the joules. Lines that
// begin with # and empty lines are skipped. Metering begins at the first record.
