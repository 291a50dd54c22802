/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes of a recording to and from a file, through zstd where that is asked for, or found. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "record/internal.h"

#define READ_MAX (UINT64_C(4) << 30) /* bytes of a recording, decompressed */
#define CHUNK ((size_t)256 * 1024)

/* ---- Writing ---- */

struct packed {
	FILE *out;
	ZSTD_CCtx *context;
	char buffer[CHUNK];
};

static bool compress_some(struct packed *packed, ZSTD_inBuffer *in, ZSTD_EndDirective directive)
{
	size_t left;

	do {
		ZSTD_outBuffer out = {packed->buffer, sizeof(packed->buffer), 0};

		left = ZSTD_compressStream2(packed->context, &out, in, directive);
		if (ZSTD_isError(left)) {
			errno = EIO;
			return false;
		}
		if (fwrite(packed->buffer, 1, out.pos, packed->out) != out.pos)
			return false;
	} while (directive == ZSTD_e_end ? left > 0 : in->pos < in->size);
	return true;
}

static ssize_t packed_write(void *cookie, const char *data, size_t length)
{
	ZSTD_inBuffer in = {data, length, 0};

	return compress_some(cookie, &in, ZSTD_e_continue) ? (ssize_t)length : 0;
}

static int packed_close(void *cookie)
{
	struct packed *packed = cookie;
	ZSTD_inBuffer in = {NULL, 0, 0};
	bool whole = compress_some(packed, &in, ZSTD_e_end);

	ZSTD_freeCCtx(packed->context);
	free(packed);
	return whole ? 0 : EOF;
}

FILE *packed_open(FILE *out)
{
	const cookie_io_functions_t functions = {.write = packed_write, .close = packed_close};
	struct packed *packed = xmalloc(sizeof(*packed));
	FILE *stream;

	packed->out = out;
	packed->context = ZSTD_createCCtx();
	if (!packed->context)
		out_of_memory();
	ZSTD_CCtx_setParameter(packed->context, ZSTD_c_compressionLevel, 6);
	ZSTD_CCtx_setParameter(packed->context, ZSTD_c_checksumFlag, 1);
	stream = fopencookie(packed, "w", functions);
	if (!stream) {
		ZSTD_freeCCtx(packed->context);
		free(packed);
	}
	return stream;
}

/* ---- Reading ---- */

static int cannot(const char *path, int error, const char *what, struct diag *diag)
{
	return diag_set(diag, error, NO_PLACE, "cannot read recording '%s': %s", path, what);
}

static int read_whole(const char *path, struct buf *out, struct diag *diag)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	AUTO_FREE char *chunk = xmalloc(CHUNK);
	struct stat status;
	ssize_t n;

	if (fd < 0 || fstat(fd, &status) < 0)
		return cannot(path, errno, strerror(errno), diag);
	if (S_ISDIR(status.st_mode))
		return cannot(path, EISDIR, strerror(EISDIR), diag);
	fcntl(fd, F_SETFL, 0);
	while ((n = read(fd, chunk, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot(path, errno, strerror(errno), diag);
		if (out->length + (size_t)n > READ_MAX)
			return cannot(path, EFBIG, "it is larger than 4 GiB", diag);
		buf_add(out, chunk, (size_t)n);
	}
	return 0;
}

static int decompress(const char *path, const struct buf *packed, struct buf *out, struct diag *diag)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	AUTO_FREE char *chunk = xmalloc(CHUNK);
	ZSTD_inBuffer in = {packed->data, packed->length, 0};
	size_t left = 1;
	int rc = 0;

	while (!rc && (in.pos < in.size || left)) {
		ZSTD_outBuffer some = {chunk, CHUNK, 0};
		size_t before = in.pos;

		left = ZSTD_decompressStream(context, &some, &in);
		if (ZSTD_isError(left))
			rc = cannot(path, EBADMSG, ZSTD_getErrorName(left), diag);
		else if (!some.pos && in.pos == before)
			rc = cannot(path, EBADMSG, "the compressed data is cut short", diag);
		else if (out->length + some.pos > READ_MAX)
			rc = cannot(path, EFBIG, "decompressed, it is larger than 4 GiB", diag);
		else
			buf_add(out, chunk, some.pos);
	}
	ZSTD_freeDCtx(context);
	return rc;
}

int packed_read(const char *path, struct buf *out, struct diag *diag)
{
	static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd}; /* RFC 8878, section 3.1.1 */
	AUTO_BUF struct buf raw = {0};
	int rc = read_whole(path, &raw, diag);

	if (rc < 0)
		return rc;
	if (raw.length >= sizeof(magic) && !memcmp(raw.data, magic, sizeof(magic)))
		return decompress(path, &raw, out, diag);
	*out = raw;
	raw = (struct buf){0};
	return 0;
}
