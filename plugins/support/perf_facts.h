/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the columns of the performance probes' tables */
#pragma once

enum perf_bandwidth_fact {
	BW_SIZE,
	BW_ITERATIONS,
	BW_PEAK,
	BW_AVERAGE,
	BW_MSG_RATE,
	BW_CPU_UTIL,
	BW_DEVICE,
	BW_TRANSPORT,
	BW_LINK_TYPE,
	BW_MTU,
	BW_GID_INDEX,
	BW_QPS,
	BW_RDMA_CM,
	BW_FACTS
};

enum perf_latency_fact {
	LAT_SIZE,
	LAT_ITERATIONS,
	LAT_T_MIN,
	LAT_T_MAX,
	LAT_T_TYPICAL,
	LAT_T_AVG,
	LAT_T_STDEV,
	LAT_P99,
	LAT_P99_9,
	LAT_TPS,
	LAT_DEVICE,
	LAT_TRANSPORT,
	LAT_LINK_TYPE,
	LAT_MTU,
	LAT_GID_INDEX,
	LAT_QPS,
	LAT_RDMA_CM,
	LAT_FACTS
};
