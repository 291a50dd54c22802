/* SPDX-License-Identifier: BSD-2-Clause */
/* Expected: the SI (decimal) and IEC 80000-13 (binary) prefixes; doubles as the compiler converts them. */
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/quantity.h"

static void expect(const char *text, enum dimension dimension, double expected)
{
	const char *why = NULL;
	double got = NAN;

	if (quantity_parse(text, dimension, &got, &why))
		fail_msg("'%s': %s", text, why);
	if (got != expected)
		fail_msg("'%s' is %.17g, expected %.17g", text, got, expected);
}

static void refuse(const char *text, enum dimension dimension, const char *expected)
{
	const char *why = NULL;
	double got;

	assert_int_not_equal(quantity_parse(text, dimension, &got, &why), 0);
	assert_string_equal(why, expected);
}

static void test_rates(void **state)
{
	static const char *const same[] = {"180 Gb/s",	    "180Gb/s",	    "180 Gbit/s",	"180 Gbps",
					   "22.5 GB/s",	    "180000 Mb/s",  "180000000 kbit/s", "0.18 Tbps",
					   "180e9 b/s",	    "1.8e2 Gb/s",   "  180 Gb/s ",	"22500 MB/s",
					   "22500000 kB/s", "180.000 Gb/s", "+180 Gb/s",	"000180 Gb/s"};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		expect(same[i], DIMENSION_RATE, 180e9);
	expect("1 B/s", DIMENSION_RATE, 8);
	expect("1 KiB/s", DIMENSION_RATE, 8 * 1024);
	expect("1 MiB/s", DIMENSION_RATE, 8 * 1048576.0);
	expect("1.5 GiB/s", DIMENSION_RATE, 1.5 * 8 * 1073741824.0);
	expect("1 TiB/s", DIMENSION_RATE, 8 * 1099511627776.0);
}

static void test_times(void **state)
{
	expect("4.2 us", DIMENSION_TIME, 4.2e-6);
	expect("4200 ns", DIMENSION_TIME, 4.2e-6);
	expect("0.0042 ms", DIMENSION_TIME, 4.2e-6);
	expect("4.2 \302\265s", DIMENSION_TIME, 4.2e-6);
	expect("4.2\316\274s", DIMENSION_TIME, 4.2e-6);
	expect("4.2 usec", DIMENSION_TIME, 4.2e-6);
	expect("30 s", DIMENSION_TIME, 30);
	expect("0.1 min", DIMENSION_TIME, 6); /* exactly: 0.1 * 60 would not be, were 0.1 a double first */
	expect("0.7 min", DIMENSION_TIME, 42);
	expect("1.1 h", DIMENSION_TIME, 3960);
	expect("0.3 d", DIMENSION_TIME, 25920);
	expect("2 d", DIMENSION_TIME, 172800);
}

static void test_sizes_and_the_rest(void **state)
{
	expect("64 KiB", DIMENSION_SIZE, 65536);
	expect("64 kB", DIMENSION_SIZE, 64000);
	expect("1 MB", DIMENSION_SIZE, 1e6);
	expect("1 MiB", DIMENSION_SIZE, 1048576);
	expect("16GiB", DIMENSION_SIZE, 17179869184.0);
	expect("3 TB", DIMENSION_SIZE, 3e12);
	expect("1 B", DIMENSION_SIZE, 1);
	expect("95 %", DIMENSION_RATIO, 0.95);
	expect("0.5%", DIMENSION_RATIO, 0.005);
	expect("1.2 Mpps", DIMENSION_MESSAGES, 1.2e6);
	expect("7 kpps", DIMENSION_MESSAGES, 7000);
	expect("2.5 GHz", DIMENSION_FREQUENCY, 2.5e9);
	expect("156.25 MHz", DIMENSION_FREQUENCY, 156250000);
}

static void test_numbers(void **state)
{
	expect("0", DIMENSION_TIME, 0);
	expect("0.000", DIMENSION_RATE, 0);
	expect("-0", DIMENSION_RATE, 0);
	expect("-3 us", DIMENSION_TIME, -3e-6);
	expect(".5 s", DIMENSION_TIME, 0.5);
	expect("5. s", DIMENSION_TIME, 5);
	expect("1E-3 s", DIMENSION_TIME, 1e-3);
	expect("1e+3 s", DIMENSION_TIME, 1e3);
	/* more digits than a double holds, beyond the short way */
	expect("0.1000000000000000055511151231257827 s", DIMENSION_TIME, 0.1);
	expect("123456789012345678901234567890 b/s", DIMENSION_RATE, 123456789012345678901234567890.0);
	expect("9007199254740993 ns", DIMENSION_TIME, 9007199.254740993);
}

static void test_many_digits(void **state)
{
	AUTO_BUF struct buf text = {0};

	/* 10^400 * 10^-400 */
	buf_putc(&text, '1');
	for (int i = 0; i < 400; i++)
		buf_putc(&text, '0');
	buf_puts(&text, "e-400 s");
	expect(text.data, DIMENSION_TIME, 1);
	buf_clear(&text);
	buf_puts(&text, "0.");
	for (int i = 0; i < 5000; i++)
		buf_putc(&text, '3');
	buf_puts(&text, " min");
	expect(text.data, DIMENSION_TIME, 20); /* 0.333... of sixty, to the nearest double */
}

static void test_refused(void **state)
{
	static const char *const no_numbers[] = {"",  " ",  "x",     "Gb/s", "-",     "+",
						 ".", "e5", "nan s", "inf",  "- 5 s", "--5 s"};

	for (size_t i = 0; i < sizeof(no_numbers) / sizeof(no_numbers[0]); i++)
		refuse(no_numbers[i], DIMENSION_TIME, "not a number");
	refuse("180", DIMENSION_RATE, "needs a unit");
	refuse("0.95", DIMENSION_RATIO, "needs a unit");
	refuse("180 Gb", DIMENSION_RATE, "unknown unit");
	refuse("180 gb/s", DIMENSION_RATE, "unknown unit");
	refuse("64 KB", DIMENSION_SIZE, "unknown unit"); /* 1000 or 1024? */
	refuse("64 K", DIMENSION_SIZE, "unknown unit");
	refuse("5 m", DIMENSION_TIME, "unknown unit"); /* minutes or milliseconds? */
	refuse("5 e", DIMENSION_TIME, "unknown unit");
	refuse("5 e2 s", DIMENSION_TIME, "unknown unit");
	refuse("0x10 s", DIMENSION_TIME, "unknown unit");
	refuse("1,5 s", DIMENSION_TIME, "unknown unit");
	refuse("5 s s", DIMENSION_TIME, "unknown unit");
	refuse("180 Gb/s", DIMENSION_TIME, "unit of another kind");
	refuse("64 KiB", DIMENSION_RATE, "unit of another kind");
	refuse("1e400 s", DIMENSION_TIME, "out of range");
	refuse("1e99999999999999999999 s", DIMENSION_TIME, "out of range");
	expect("1e-99999999999999999999 s", DIMENSION_TIME, 0);
}

/* ---- A locale whose decimal point is a comma, made on the spot: few systems have one. ---- */

static char locales[32];

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	return remove(path);
}

static int make_locale(void **state)
{
	AUTO_FREE char *source = NULL, *target = NULL;
	FILE *file;
	pid_t pid;

	strcpy(locales, "/tmp/rdmaspec-locale-XXXXXX");
	if (!mkdtemp(locales))
		return -1;
	source = xasprintf("%s/source", locales);
	target = xasprintf("%s/xx_XX", locales);
	file = fopen(source, "w");
	if (!file)
		return -1;
	fputs("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n", file);
	fclose(file);
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execlp("localedef", "localedef", "--no-archive", "-c", "-i", source, target, NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, NULL, 0) == pid ? setenv("LOCPATH", locales, 1) : -1;
}

static int remove_locale(void **state)
{
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	return nftw(locales, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void test_locale(void **state)
{
	AUTO_BUF struct buf out = {0}, printed = {0};

	if (!setlocale(LC_NUMERIC, "xx_XX"))
		fail_msg("localedef (of libc-bin) made no locale");
	buf_printf(&printed, "%.1f", 4.2);
	assert_string_equal(printed.data, "4,2");
	expect("4.2 us", DIMENSION_TIME, 4.2e-6);
	expect("0.1000000000000000055511151231257827 s", DIMENSION_TIME, 0.1);
	refuse("4,2 us", DIMENSION_TIME, "unknown unit");
	decimal_write(&out, 4.2e-6, unit_find("us", 2));
	assert_string_equal(out.data, "4.2 us");
}

static void test_unit_find(void **state)
{
	const struct unit *unit = unit_find("Gb/s and more", 4);

	assert_non_null(unit);
	assert_string_equal(unit->name, "Gb/s");
	assert_int_equal(unit->dimension, DIMENSION_RATE);
	assert_int_equal(unit->exponent, 9);
	assert_true(unit->factor == 1);
	assert_null(unit_find("Gb", 2));
	assert_null(unit_find("", 0));
	assert_null(unit_find("Gb/s ", 5));
	assert_ptr_equal(unit_find("MB/s", 4), unit_find("MB/s", 4));
	assert_ptr_not_equal(unit_find("MB/s", 4), unit_find("Mb/s", 4));
}

static void expect_units(enum dimension dimension, const char *expected)
{
	AUTO_BUF struct buf out = {0};

	units_of(dimension, &out);
	assert_string_equal(out.data, expected);
}

static void test_units_of(void **state)
{
	expect_units(DIMENSION_TIME, "ns, us, ms, s, min, h, d");
	expect_units(DIMENSION_SIZE, "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
	expect_units(DIMENSION_RATIO, "%");
	expect_units(DIMENSION_RATE,
		     "b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s");
}

static void test_decimal_parse(void **state)
{
	double got = NAN;

	assert_true(decimal_parse("179.93", unit_find("Gb/s", 4), &got));
	assert_true(got == 179.93e9);
	assert_true(decimal_parse("12", NULL, &got));
	assert_true(got == 12);
	assert_false(decimal_parse("12 ", NULL, &got));
	assert_false(decimal_parse("", NULL, &got));
	assert_false(decimal_parse("inf", NULL, &got));
	assert_false(decimal_parse("1e999", NULL, &got));
}

static void expect_written(double base, const char *unit, const char *expected)
{
	AUTO_BUF struct buf out = {0};

	decimal_write(&out, base, unit ? unit_find(unit, strlen(unit)) : NULL);
	assert_string_equal(out.data, expected);
}

static void test_decimal_write(void **state)
{
	expect_written(180e9, "Gb/s", "180 Gb/s");
	expect_written(180e9, "GB/s", "22.5 GB/s");
	expect_written(4.2e-6, "us", "4.2 us");
	expect_written(0.95, "%", "95 %");
	expect_written(65536, "KiB", "64 KiB");
	expect_written(90, "min", "1.5 min");
	expect_written(0, "s", "0 s");
	expect_written(0.1, NULL, "0.1");
	expect_written(1.0 / 3, NULL, "0.3333333333333333"); /* the shortest that is this double (IEEE 754, 5.12.2) */
	expect_written(5e-324, NULL, "5e-324");
	expect_written(1.7976931348623157e308, NULL, "1.7976931348623157e+308");
	expect_written(123456789012345680000.0, NULL, "123456789012345680000");
	expect_written(-0.00025, NULL, "-0.00025");
	expect_written(1e-7, NULL, "0.0000001");
	expect_written(1e-8, NULL, "1e-8");
	expect_written(NAN, NULL, "nan");
	expect_written(-INFINITY, NULL, "-inf");
}

/* Whatever is written in a unit reads back as the same double. */
static void test_round_trip(void **state)
{
	static const char *const names[] = {"ns",   "us",   "s",     "min", "h", "d",
					    "Gb/s", "GB/s", "TiB/s", "KiB", "%", "GHz"};
	uint64_t seed = 88172645463325252u; /* xorshift64 (Marsaglia 2003) */

	for (int i = 0; i < 100000; i++) {
		const char *name = names[i % (int)(sizeof(names) / sizeof(names[0]))];
		const struct unit *unit = unit_find(name, strlen(name));
		AUTO_BUF struct buf out = {0};
		double value, again = NAN;
		const char *why;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		value = ldexp((double)(seed >> 11), (int)(seed % 121) - 90);
		decimal_write(&out, value, unit);
		assert_int_equal(quantity_parse(out.data, unit->dimension, &again, &why), 0);
		if (again != value)
			fail_msg("%.17g was written as '%s', which is %.17g", value, out.data, again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_sizes_and_the_rest),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_many_digits),
		cmocka_unit_test(test_refused),
		cmocka_unit_test_setup_teardown(test_locale, make_locale, remove_locale),
		cmocka_unit_test(test_unit_find),
		cmocka_unit_test(test_units_of),
		cmocka_unit_test(test_decimal_parse),
		cmocka_unit_test(test_decimal_write),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
