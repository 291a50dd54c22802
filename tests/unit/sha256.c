/* SPDX-License-Identifier: BSD-2-Clause */
/* Expected: the examples of FIPS 180-4 (NIST, "SHA256.pdf"); the lengths around a block from coreutils' sha256sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/sha256.h"

static void expect(const char *text, const char *hex)
{
	char got[65];

	sha256_hex(text, strlen(text), got);
	assert_string_equal(got, hex);
}

static void test_examples(void **state)
{
	AUTO_FREE char *million = xmalloc(1000001);

	expect("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(million, 'a', 1000000);
	million[1000000] = '\0';
	expect(million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* for n in 55 56 63 64: printf "%${n}s" | tr ' ' x | sha256sum */
static void test_around_a_block(void **state)
{
	expect("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	       "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
	expect("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	       "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
	expect("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	       "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
	expect("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	       "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_around_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
