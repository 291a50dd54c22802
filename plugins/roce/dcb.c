/* SPDX-License-Identifier: BSD-2-Clause */
#include "roce/dcb.h"

#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "support/netlink.h"

/* Of later kernels than the headers of Debian 12 */
#define APP_TRUST_TABLE 11 /* DCB_ATTR_DCB_APP_TRUST_TABLE, since 6.3 */
#define SELECTOR_PCP 255   /* DCB_APP_SEL_PCP */

static void decode_ets(const struct nlattr *attribute, struct dcb *dcb)
{
	struct ieee_ets ets;

	if (mnl_attr_get_payload_len(attribute) < sizeof(ets))
		return;
	memcpy(&ets, mnl_attr_get_payload(attribute), sizeof(ets));
	dcb->has_ets = true;
	memcpy(dcb->tc, ets.prio_tc, sizeof(dcb->tc));
	memcpy(dcb->tsa, ets.tc_tsa, sizeof(dcb->tsa));
	memcpy(dcb->bandwidth, ets.tc_tx_bw, sizeof(dcb->bandwidth));
}

static void decode_pfc(const struct nlattr *attribute, struct dcb *dcb)
{
	struct ieee_pfc pfc;

	if (mnl_attr_get_payload_len(attribute) < sizeof(pfc))
		return;
	memcpy(&pfc, mnl_attr_get_payload(attribute), sizeof(pfc));
	dcb->has_pfc = true;
	dcb->pfc = pfc.pfc_en;
	memcpy(dcb->pfc_sent, pfc.requests, sizeof(dcb->pfc_sent));
	memcpy(dcb->pfc_received, pfc.indications, sizeof(dcb->pfc_received));
}

static void decode_buffer(const struct nlattr *attribute, struct dcb *dcb)
{
	struct dcbnl_buffer buffer;

	if (mnl_attr_get_payload_len(attribute) < sizeof(buffer))
		return;
	memcpy(&buffer, mnl_attr_get_payload(attribute), sizeof(buffer));
	dcb->has_buffer = true;
	memcpy(dcb->buffer, buffer.prio2buffer, sizeof(dcb->buffer));
	memcpy(dcb->buffer_size, buffer.buffer_size, sizeof(dcb->buffer_size));
}

/* With two priorities for a DSCP the higher one counts, as the kernel's dcb_ieee_getapp_mask() users do it */
static void decode_apps(const struct nlattr *table, struct dcb *dcb)
{
	const struct nlattr *attribute;

	dcb->has_app = true;
	mnl_attr_for_each_nested(attribute, table)
	{
		struct dcb_app app;

		if (mnl_attr_get_type(attribute) != DCB_ATTR_IEEE_APP ||
		    mnl_attr_get_payload_len(attribute) < sizeof(app))
			continue;
		memcpy(&app, mnl_attr_get_payload(attribute), sizeof(app));
		if (app.selector == IEEE_8021QAZ_APP_SEL_DSCP && app.protocol < DCB_DSCPS &&
		    app.priority < DCB_PRIORITIES && dcb->dscp[app.protocol] < app.priority)
			dcb->dscp[app.protocol] = (int8_t)app.priority;
	}
}

/* The selectors in the order in which they are trusted; of those the first counts */
static void decode_trust(const struct nlattr *table, struct dcb *dcb)
{
	const struct nlattr *attribute;

	mnl_attr_for_each_nested(attribute, table)
	{
		const uint8_t *selectors = mnl_attr_get_payload(attribute);

		if (mnl_attr_get_payload_len(attribute) < 1)
			continue;
		if (selectors[0] == IEEE_8021QAZ_APP_SEL_DSCP)
			dcb->trust = DCB_TRUST_DSCP;
		else if (selectors[0] == SELECTOR_PCP)
			dcb->trust = DCB_TRUST_PCP;
		return;
	}
}

bool dcb_decode(const struct nlmsghdr *message, struct dcb *dcb)
{
	const struct nlattr *table[DCB_ATTR_IEEE + 1], *ieee[APP_TRUST_TABLE + 1];

	*dcb = (struct dcb){.trust = DCB_TRUST_UNKNOWN};
	memset(dcb->dscp, -1, sizeof(dcb->dscp));
	if (message->nlmsg_type != RTM_GETDCB && message->nlmsg_type != RTM_SETDCB)
		return false;
	netlink_attributes(message, sizeof(struct dcbmsg), table, DCB_ATTR_IEEE);
	if (!table[DCB_ATTR_IEEE])
		return false;
	netlink_nested(table[DCB_ATTR_IEEE], ieee, APP_TRUST_TABLE);
	if (ieee[DCB_ATTR_IEEE_ETS])
		decode_ets(ieee[DCB_ATTR_IEEE_ETS], dcb);
	if (ieee[DCB_ATTR_IEEE_PFC])
		decode_pfc(ieee[DCB_ATTR_IEEE_PFC], dcb);
	if (ieee[DCB_ATTR_IEEE_APP_TABLE])
		decode_apps(ieee[DCB_ATTR_IEEE_APP_TABLE], dcb);
	if (ieee[DCB_ATTR_DCB_BUFFER])
		decode_buffer(ieee[DCB_ATTR_DCB_BUFFER], dcb);
	if (ieee[APP_TRUST_TABLE])
		decode_trust(ieee[APP_TRUST_TABLE], dcb);
	return true;
}

struct answer {
	struct dcb *dcb;
	bool understood;
};

static void on_answer(const struct nlmsghdr *message, void *user)
{
	struct answer *answer = user;

	answer->understood = dcb_decode(message, answer->dcb);
}

int dcb_read(const struct rs_ctx *ctx, const char *netdev, struct dcb *dcb)
{
	struct answer answer = {dcb, false};
	struct netlink_request request;
	struct dcbmsg *header;
	int error;

	header = netlink_begin(&request, RTM_GETDCB, false, sizeof(*header));
	header->dcb_family = AF_UNSPEC;
	header->cmd = DCB_CMD_IEEE_GET;
	mnl_attr_put_strz(request.header, DCB_ATTR_IFNAME, netdev);
	error = netlink_ask(ctx, NETLINK_ROUTE, &request, on_answer, NULL, &answer);
	if (error)
		return error;
	return answer.understood ? 0 : -EBADMSG;
}
