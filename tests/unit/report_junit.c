/* SPDX-License-Identifier: BSD-2-Clause */
/* The JUnit report, read back with libxml2's parser and held against schemas/junit.xsd. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>

#include <cmocka.h>

#include "report/report.h"
#include "report_sample.h"

static char path[] = "/tmp/rdmaspec-junit-XXXXXX";

/* struct report - a report that was written and parsed */
struct report {
	xmlDoc *doc;
	xmlXPathContext *xpath;
};

static void quiet(void *context, const char *format, ...)
{
}

/* Without XML_PARSE_HUGE: as every consumer parses it. */
static struct report report_of(const struct sample *sample, bool positions)
{
	struct report_target target = {.kind = REPORT_JUNIT, .path = path, .positions = positions};
	AUTO_DIAG struct diag diag = {0};
	struct report report;

	if (report_write(&target, &sample->result, NULL, &diag) < 0)
		fail_msg("%s", diag.text);
	report.doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
	assert_non_null(report.doc);
	report.xpath = xmlXPathNewContext(report.doc);
	return report;
}

static void report_free(struct report *report)
{
	xmlXPathFreeContext(report->xpath);
	xmlFreeDoc(report->doc);
}

/* 0: valid. */
static int validate(const struct report *report, bool aloud)
{
	const char *source = getenv("RDMASPEC_SOURCE");
	AUTO_FREE char *file = xasprintf("%s/schemas/junit.xsd", source ? source : ".");
	xmlSchemaParserCtxt *parser = xmlSchemaNewParserCtxt(file);
	xmlSchema *schema = xmlSchemaParse(parser);
	xmlSchemaValidCtxt *validator = xmlSchemaNewValidCtxt(schema);
	int result;

	assert_non_null(schema);
	if (!aloud)
		xmlSchemaSetValidErrors(validator, quiet, quiet, NULL);
	result = xmlSchemaValidateDoc(validator, report->doc);
	xmlSchemaFreeValidCtxt(validator);
	xmlSchemaFree(schema);
	xmlSchemaFreeParserCtxt(parser);
	return result;
}

static char *value(const struct report *report, const char *xpath)
{
	AUTO_FREE char *expression = xasprintf("string(%s)", xpath);
	xmlXPathObject *object = xmlXPathEvalExpression(BAD_CAST expression, report->xpath);
	char *text = xstrdup((const char *)object->stringval);

	xmlXPathFreeObject(object);
	return text;
}

static double number(const struct report *report, const char *xpath)
{
	xmlXPathObject *object = xmlXPathEvalExpression(BAD_CAST xpath, report->xpath);
	double result = xmlXPathCastToNumber(object);

	xmlXPathFreeObject(object);
	return result;
}

static void holds(const struct report *report, const char *xpath, const char *expected)
{
	AUTO_FREE char *found = value(report, xpath);

	assert_string_equal(found, expected);
}

static void counts(const struct report *report, const char *xpath, double expected)
{
	double found = number(report, xpath);

	if (found != expected)
		fail_msg("%s is %g, not %g", xpath, found, expected);
}

static void test_every_verdict(void **state)
{
	struct sample sample;
	struct report report;

	sample_everything(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	counts(&report, "count(/testsuites/testsuite)", 2);
	/* 3 cases of sm, 1 of links, 4 of ports, 6 others of one each */
	counts(&report, "count(//testsuite[1]/testcase)", 14);
	holds(&report, "//testsuite[1]/@tests", "14");
	holds(&report, "//testsuite[1]/@failures", "2"); /* links, hostile */
	holds(&report, "//testsuite[1]/@errors", "1");	 /* ports on node-03 */
	holds(&report, "//testsuite[1]/@skipped", "3");	 /* needs, waived, warning */
	counts(&report, "count(//testsuite[1]//failure)", 2);
	counts(&report, "count(//testsuite[1]//error)", 1);
	counts(&report, "count(//testsuite[1]//skipped)", 3);
	holds(&report, "//testsuite[1]/@id", "0");
	holds(&report, "//testsuite[2]/@id", "1");
	holds(&report, "//testsuite[1]/@name", "rack 12 acceptance");
	holds(&report, "//testsuite[1]/@package", "rack12.yaml");
	holds(&report, "//testsuite[1]/@hostname", "head-1");
	/* date -u -d @1800000000 */
	holds(&report, "//testsuite[1]/@timestamp", "2027-01-15T08:00:00");
	holds(&report, "//testsuite[1]/@time", "0.030");
	holds(&report, "//testcase[1]/@classname", "rack 12 acceptance.fabric");
	holds(&report, "//testcase[1]/@name", "sm [node-01]");
	counts(&report, "count(//testcase/@file | //testcase/@line)", 0);
	/* The same class and name come from both files. */
	holds(&report, "//testsuite[2]/testcase/@name", "sm [node-01] (2)");
	report_free(&report);
	sample_free(&sample);
}

static void test_texts(void **state)
{
	struct sample sample;
	struct report report;

	sample_everything(&sample);
	report = report_of(&sample, false);
	holds(&report, "//testcase[@name='every link runs at HDR or NDR']/failure/@message",
	      "leaf-3 port 17 → node-041: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	holds(&report, "//testcase[@name='every link runs at HDR or NDR']/failure",
	      "leaf-3 port 17 → node-041: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)\n"
	      "leaf-3 port 18 → node-041: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	holds(&report, "//failure/@type", "expectation");
	holds(&report, "//error/@type", "worker");
	holds(&report, "//error/@message", "the worker was ended by SIGSEGV");
	assert_int_equal(number(&report, "contains(//error, 'ib.so: assertion failed')"), 1);
	holds(&report, "//testcase[@name='depends on links']/skipped", "step 'links' did not pass");
	holds(&report, "//testcase[@name='errors [node-01]']/skipped",
	      "waived: cable ordered (ticket 1234), until 2027-01-31\n"
	      "leaf-1 port 3 → node-01: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	holds(&report, "//testcase[@name='tuned [node-01]']/skipped",
	      "warning: leaf-1 port 4 → node-01: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	counts(&report, "count(//testcase[@name='waived']/*)", 0);
	assert_int_equal(number(&report, "contains(//system-out, 'the waiver can go: the step passes')"), 1);
	assert_int_equal(number(&report, "contains(//system-out, 'plugin ib is 0.0.9')"), 1);
	assert_int_equal(number(&report, "contains(//system-out, 'attempt 1 of 2: fail: node-01 port 1')"), 1);
	assert_int_equal(number(&report, "contains(//system-err, 'assertion failed')"), 1);
	report_free(&report);
	sample_free(&sample);
}

static void test_properties(void **state)
{
	struct sample sample;
	struct report report;
	char sha256[65] = "";

	memset(sha256, 'a', 64);
	sample_everything(&sample);
	report = report_of(&sample, false);
	holds(&report, "//testsuite[1]/properties/property[@name='scenario.sha256']/@value", sha256);
	memset(sha256, 'b', 64);
	holds(&report, "//property[@name='include.sha256/common/subnet.yaml']/@value", sha256);
	holds(&report, "//property[@name='simulated']/@value", "rack.topo");
	holds(&report, "//property[@name='exit_status']/@value", "1");
	/* One row: every number; the key "port" and the address are none. */
	holds(&report, "//property[@name='bw [node-01→node-02]/rate']/@value", "389.5 Gb/s");
	holds(&report, "//property[@name='bw [node-01→node-02]/errors']/@value", "18446744073709551615");
	counts(&report, "count(//property[@name='bw [node-01→node-02]/port'])", 0);
	/* Several rows: what was gated, of the rows that were kept. */
	holds(&report, "//property[@name='every link runs at HDR or NDR/speed (leaf-3 port 18 → node-041)']/@value",
	      "QDR");
	counts(&report, "count(//property[starts-with(@name, 'every link runs at HDR or NDR/')])", 2);
	report_free(&report);
	sample_free(&sample);
}

static void test_extremes(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct result_case *item;
	struct report report;

	sample_open(&sample);
	step = sample_step(&sample, 0, "links", NULL);
	item = sample_case(&sample, step, "", VERDICT_PASS);
	for (int i = 0; i < 100; i++)
		sample_row(item, "leaf-1", i, "x", i == 40 ? 1 : i == 60 ? 6 : 5, "1");
	sample_count(&sample);
	report = report_of(&sample, false);
	counts(&report, "count(//property[starts-with(@name, 'links/')])", 2);
	holds(&report, "//property[@name='links/speed min']/@value", "DDR");
	holds(&report, "//property[@name='links/speed max']/@value", "NDR");
	report_free(&report);
	sample_free(&sample);
}

/* What is harmless stays; every other byte of the hostile text is to be read as its \xNN. */
#define HARMLESS "\\x1b[31mred\\x07 ]]> <script>&\"' \\xef\\xbf\\xbe \\xff\\xc0\\xaf \\xe2\\x80\\xae back\\slash"

static void test_hostile(void **state)
{
	struct sample sample;
	struct report report;
	AUTO_FREE char *output = NULL;

	sample_everything(&sample);
	report = report_of(&sample, false);
	holds(&report, "//testcase[@name='hostile']/failure",
	      HARMLESS ": speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	holds(&report, "//testcase[@name='hostile']/failure/@message",
	      HARMLESS ": speed is QDR, expected HDR or NDR (rack12.yaml:24:41)");
	/* Of the evidence, CR LF becomes LF and the tab stays. */
	output = value(&report, "//system-out");
	assert_non_null(strstr(output, "--- node-01: fabric.sweep: ibnetdiscover " HARMLESS " (55 bytes)\n" HARMLESS
				       "\\x00\n\ttab\n"));
	report_free(&report);
	sample_free(&sample);
}

/* All bytes that there are, in names and texts. */
static void test_every_byte(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct result_case *item;
	struct report report;
	AUTO_BUF struct buf expected = {0};
	char bytes[256];

	for (int i = 1; i < 256; i++)
		bytes[i - 1] = (char)i;
	bytes[255] = '\0';
	sample_open(&sample);
	sample.scenarios[0].name = bytes;
	sample.files[0].path = bytes;
	step = sample_step(&sample, 0, NULL, bytes);
	item = sample_case(&sample, step, "", VERDICT_FAIL);
	sample_finding(item, 0, bytes, bytes, bytes);
	sample_observation(item)->log = xstrdup(bytes);
	item = sample_case(&sample, step, "", VERDICT_SKIP);
	sample_not_run(item, bytes);
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	/* A token: tab, LF, CR and the blank are blanks, runs of them one; 0x7f and all above are no characters here.
	 */
	for (int i = 1; i < 256; i++) {
		if (i == 9 || i == 13 || i == 32)
			buf_putc(&expected, ' ');
		else if (i > 32 && i < 127)
			buf_putc(&expected, (char)i);
		else if (i != 10)
			buf_printf(&expected, "\\x%02x", i);
	}
	holds(&report, "//testcase[1]/@name", expected.data);
	holds(&report, "//testcase[2]/skipped", expected.data);
	holds(&report, "//testsuite/@name", expected.data);
	buf_puts(&expected, " (2)");
	holds(&report, "//testcase[2]/@name", expected.data);
	report_free(&report);
	sample_free(&sample);
}

/* Two names that only white space keeps apart are one token. */
static void test_unique_names(void **state)
{
	static const char *const names[] = {"a b", "a  b", " a b\n", "a\tb", "a b (2)", " ", ""};
	struct sample sample;
	struct report report;

	sample_open(&sample);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		sample_case(&sample, sample_step(&sample, 0, NULL, names[i]), "", VERDICT_PASS);
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	holds(&report, "//testcase[1]/@name", "a b");
	holds(&report, "//testcase[2]/@name", "a b (2)");
	holds(&report, "//testcase[3]/@name", "a b (3)");
	holds(&report, "//testcase[4]/@name", "a b (4)");
	holds(&report, "//testcase[5]/@name", "a b (2) (2)");
	holds(&report, "//testcase[6]/@name", "step");
	holds(&report, "//testcase[7]/@name", "step (2)");
	report_free(&report);
	sample_free(&sample);
}

static void test_positions(void **state)
{
	struct sample sample;
	struct report report;

	sample_everything(&sample);
	report = report_of(&sample, true);
	holds(&report, "//testsuite[1]/testcase[4]/@file", "rack12.yaml");
	holds(&report, "//testsuite[1]/testcase[4]/@line", "11"); /* the second step; sample_step() counts from 10 */
	assert_int_not_equal(validate(&report, false), 0);
	report_free(&report);
	sample_free(&sample);
}

static void test_times(void **state)
{
	static const double seconds[] = {0, 0.0004, 0.0006, 1234.5678, -1, 1.0 / 0.0};
	static const char *const shown[] = {"0.000", "0.000", "0.001", "1234.568", "0.000", "0.000"};
	struct sample sample;
	struct result_step *step;
	struct report report;

	sample_open(&sample);
	step = sample_step(&sample, 0, "s", NULL);
	for (int i = 0; i < 6; i++)
		sample_case(&sample, step, "", VERDICT_PASS)->seconds = seconds[i];
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	for (int i = 0; i < 6; i++) {
		char xpath[64];

		snprintf(xpath, sizeof(xpath), "//testcase[%d]/@time", i + 1);
		holds(&report, xpath, shown[i]);
	}
	report_free(&report);
	sample_free(&sample);
}

/* A file without a failure is green for CI: a run that ended early, or judged nothing, must not write one. */
static void test_interrupted(void **state)
{
	struct sample sample;
	struct result_case *item;
	struct report report;

	sample_open(&sample);
	sample_case(&sample, sample_step(&sample, 0, "first", NULL), "", VERDICT_PASS);
	item = sample_case(&sample, sample_step(&sample, 0, "second", NULL), "", VERDICT_SKIP);
	sample_not_run(item, "the run was ended by SIGTERM before it");
	sample.result.signal = SIGTERM;
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	holds(&report, "//testsuite/@tests", "3");
	holds(&report, "//testsuite/@errors", "1");
	holds(&report, "//testcase[@name='second']/skipped", "the run was ended by SIGTERM before it");
	holds(&report, "//testcase[@name='the run as a whole']/error/@type", "interrupted");
	holds(&report, "//testcase[@name='the run as a whole']/error",
	      "the run was ended by SIGTERM before all of its steps were done");
	holds(&report, "//property[@name='exit_status']/@value", "143"); /* 128 + 15 */
	report_free(&report);
	sample_free(&sample);
}

static void test_nothing_judged(void **state)
{
	struct sample sample;
	struct result_case *item;
	struct report report;

	sample_open(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	holds(&report, "//testcase/error", "no gating step was judged");
	holds(&report, "//testsuite/@errors", "1");
	report_free(&report);

	item = sample_case(&sample, sample_step(&sample, 0, "first", NULL), "", VERDICT_SKIP);
	sample_not_run(item, "\"when\" does not hold");
	item->gating = false;
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	holds(&report, "//testsuite/@tests", "2");
	holds(&report, "//testcase[@name='the run as a whole']/error/@type", "nothing_judged");
	report_free(&report);
	sample_free(&sample);
}

/* 100 observations of 512 KiB of bytes that each take four characters, and 2,000 failures of 100 long findings. */
static void test_size(void **state)
{
	AUTO_FREE char *noise = xmalloc(2 * EVIDENCE_KEPT), *name = xmalloc(1001);
	struct sample sample;
	struct result_step *step;
	struct report report;
	struct stat status;

	memset(noise, 0xff, 2 * EVIDENCE_KEPT);
	memset(name, '<', 1000);
	name[1000] = '\0';
	sample_open(&sample);
	step = sample_step(&sample, 0, "noisy", NULL);
	for (int i = 0; i < 2000; i++) {
		struct result_case *item = sample_case(&sample, step, "node", VERDICT_FAIL);

		for (int f = 0; f < (i < 20 ? FINDINGS_KEPT : 1); f++)
			sample_finding(item, 0, name, "x", "y");
		if (i < 100)
			observation_add_evidence(sample_observation(item), "noise", noise, 2 * EVIDENCE_KEPT);
		if (i < 100)
			sample_observation(item)->log = xasprintf("%.*s", EVIDENCE_KEPT, noise);
	}
	sample_count(&sample);
	report = report_of(&sample, false);
	assert_int_equal(validate(&report, true), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_in_range(status.st_size, 10000000, 30000000);
	counts(&report, "count(//failure)", 2000);
	/* 20 failures of 100 findings of 1,000 "&lt;" are 8 MB; each is cut at 64 KiB and says so. */
	assert_int_equal(number(&report, "contains(//failure, '[cut: the JSON report has the rest]')"), 1);
	assert_int_equal(number(&report, "contains(//system-out, 'bytes left out]')"), 1);
	assert_int_equal(number(&report, "contains(//system-out, 'cut or left out: the JSON report has them]')"), 1);
	report_free(&report);
	sample_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_verdict),  cmocka_unit_test(test_texts),
		cmocka_unit_test(test_properties),     cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_hostile),	       cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_unique_names),   cmocka_unit_test(test_positions),
		cmocka_unit_test(test_times),	       cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_nothing_judged), cmocka_unit_test(test_size),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	close(fd);
	sample_find_module();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	xmlCleanupParser();
	return failed;
}
