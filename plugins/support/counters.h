/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the counters of an InfiniBand port: names, widths, and what may be said of them
 *
 * They come from PerfMgt (PortCounters, PortCountersExtended; 16.1.3 and 16.1.4 of the specification) or from the files
 * that sysfs makes of the same. They stop at their maximum, and any tool may set them to zero.
 */
#pragma once

#include <rdmaspec/plugin.h>

/* What "X(id, fact, bits, sysfs file, name in PerfMgt)" is to be, counter by counter: first the errors, then traffic */
#define PORT_ERRORS(X)                                                                                                 \
	X(SYMBOL_ERROR, "symbol_error", 16, "symbol_error", "SymbolErrorCounter")                                      \
	X(LINK_ERROR_RECOVERY, "link_error_recovery", 8, "link_error_recovery", "LinkErrorRecoveryCounter")            \
	X(LINK_DOWNED, "link_downed", 8, "link_downed", "LinkDownedCounter")                                           \
	X(RCV_ERRORS, "port_rcv_errors", 16, "port_rcv_errors", "PortRcvErrors")                                       \
	X(RCV_REMOTE, "port_rcv_remote_physical_errors", 16, "port_rcv_remote_physical_errors",                        \
	  "PortRcvRemotePhysicalErrors")                                                                               \
	X(RCV_RELAY, "port_rcv_switch_relay_errors", 16, "port_rcv_switch_relay_errors", "PortRcvSwitchRelayErrors")   \
	X(XMIT_DISCARDS, "port_xmit_discards", 16, "port_xmit_discards", "PortXmitDiscards")                           \
	X(XMIT_CONSTRAINT, "port_xmit_constraint_errors", 8, "port_xmit_constraint_errors",                            \
	  "PortXmitConstraintErrors")                                                                                  \
	X(RCV_CONSTRAINT, "port_rcv_constraint_errors", 8, "port_rcv_constraint_errors", "PortRcvConstraintErrors")    \
	X(LOCAL_INTEGRITY, "local_link_integrity_errors", 4, "local_link_integrity_errors",                            \
	  "LocalLinkIntegrityErrors")                                                                                  \
	X(BUFFER_OVERRUN, "excessive_buffer_overrun_errors", 4, "excessive_buffer_overrun_errors",                     \
	  "ExcessiveBufferOverrunErrors")                                                                              \
	X(VL15_DROPPED, "vl15_dropped", 16, "VL15_dropped", "VL15Dropped")                                             \
	X(XMIT_WAIT, "port_xmit_wait", 32, "port_xmit_wait", "PortXmitWait")
#define PORT_TRAFFIC(X)                                                                                                \
	X(XMIT_DATA, "port_xmit_data", 32, "port_xmit_data", "PortXmitData, in units of 4 bytes")                      \
	X(RCV_DATA, "port_rcv_data", 32, "port_rcv_data", "PortRcvData, in units of 4 bytes")                          \
	X(XMIT_PACKETS, "port_xmit_packets", 32, "port_xmit_packets", "PortXmitPkts")                                  \
	X(RCV_PACKETS, "port_rcv_packets", 32, "port_rcv_packets", "PortRcvPkts")                                      \
	X(UNICAST_XMIT, "unicast_xmit_packets", 64, "unicast_xmit_packets", "PortUnicastXmitPkts")                     \
	X(UNICAST_RCV, "unicast_rcv_packets", 64, "unicast_rcv_packets", "PortUnicastRcvPkts")                         \
	X(MULTICAST_XMIT, "multicast_xmit_packets", 64, "multicast_xmit_packets", "PortMulticastXmitPkts")             \
	X(MULTICAST_RCV, "multicast_rcv_packets", 64, "multicast_rcv_packets", "PortMulticastRcvPkts")

#define COUNTER_ID(id, fact, bits, file, standard) COUNTER_##id,
enum counter { PORT_ERRORS(COUNTER_ID) PORT_TRAFFIC(COUNTER_ID) COUNTERS };

/*
 * Rows of rs_fact, for tables that have them last: those of the counters in their order, then "pegged". They follow the
 * row before them by position, which must be that of number COUNTERS_AT - 1.
 */
#define COUNTER_OBSERVED "needs a counter that the port has, and an answer of its performance management agent"
#define ERROR_FACT(id, fact, bits, file, standard)                                                                     \
	{.name = fact,                                                                                                 \
	 .type = RS_UNSIGNED,                                                                                          \
	 .flags = RS_F_LOWER | RS_F_VOLATILE | RS_F_COUNTER,                                                           \
	 .doc = standard ", " #bits " bits: it stops at its maximum",                                                  \
	 .observed_by = COUNTER_OBSERVED},
#define TRAFFIC_FACT(id, fact, bits, file, standard)                                                                   \
	{.name = fact,                                                                                                 \
	 .type = RS_UNSIGNED,                                                                                          \
	 .flags = RS_F_VOLATILE | RS_F_COUNTER,                                                                        \
	 .doc = standard ", 64 bits where the port has PortCountersExtended, else 32",                                 \
	 .observed_by = COUNTER_OBSERVED},
#define COUNTER_FACTS                                                                                                  \
	PORT_ERRORS(ERROR_FACT) PORT_TRAFFIC(TRAFFIC_FACT)                                                             \
	{                                                                                                              \
		.name = "pegged", .type = RS_TEXT, .flags = RS_F_LIST | RS_F_VOLATILE | RS_F_PEGGED,                   \
		.doc = "counters that stand at their maximum: how much came after is not known; none where none does", \
		.observed_by = COUNTER_OBSERVED,                                                                       \
	}

/* The parameter "over" of a struct that has it as a double */
#define COUNTERS_OVER(owner)                                                                                           \
	{                                                                                                              \
		.key = "over", .type = RS_QUANTITY, .flags = RS_ADDS_TIME, .offset = offsetof(owner, over),            \
		.unit = "s", .value = "0 s", .max = 86400,                                                             \
		.doc = "read twice, this long apart, and give the difference; 0: the counters as they are",            \
	}

/** struct counters - one reading; bit N of @seen for counter N, of @wide where it has 64 bits */
struct counters {
	uint64_t value[COUNTERS];
	uint32_t seen, wide;
};

const char *counter_name(enum counter counter);
const char *counter_file(enum counter counter); /* below ports/N/counters in sysfs */

static inline void counter_put(struct counters *counters, enum counter counter, uint64_t value)
{
	counters->value[counter] = value;
	counters->seen |= 1u << counter;
}

/** counter_pegged - does it stand at the maximum of its width? */
bool counter_pegged(const struct counters *counters, enum counter counter);

/** counters_port_counters, counters_extended - out of the data of an answer (at MAD_DATA) */
void counters_port_counters(struct counters *counters, const uint8_t *data, bool has_wait);
void counters_extended(struct counters *counters, const uint8_t *data, bool has_packets);

/**
 * counters_set - set the facts from number @first on
 * @before: NULL: @now as it is; else the difference. A counter that was pegged or went down in between is then not
 *          observed, with the reason.
 */
void counters_set(struct rs_ctx *ctx, unsigned first, const struct counters *before, const struct counters *now);

/** counter_set_rise - set a fact to how much a counter rose; not observed, with the reason, where it went down */
void counter_set_rise(struct rs_ctx *ctx, unsigned fact, uint64_t then, uint64_t now);

/** counters_let_pass - wait out the interval between two readings */
void counters_let_pass(double seconds);

/* Bits of CapabilityMask in the PerfMgt ClassPortInfo (16.1.3.1) */
enum { PERF_EXTENDED = 1 << 9, PERF_EXTENDED_NO_IETF = 1 << 10, PERF_XMIT_WAIT = 1 << 12 };
enum {
	ATTRIBUTE_CLASS_PORT_INFO = 0x0001,
	ATTRIBUTE_PORT_COUNTERS = 0x0012,
	ATTRIBUTE_PORT_COUNTERS_EXTENDED = 0x001d
};
