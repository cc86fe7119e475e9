/** The hash of a body: of what is in it and not of how it came, nor of the boundary that a client made up for it. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBodyHash } from "../../../server/idempotency/body-hash.ts";

function hashOf(bytes: Uint8Array, contentType: string | null, cuts: readonly number[] = []): string {
	const hash = createBodyHash(contentType);
	const ends = [...cuts.map((cut) => cut % (bytes.byteLength + 1)), bytes.byteLength].toSorted((a, b) => a - b);
	let begin = 0;
	for (const end of ends) {
		hash.update(bytes.subarray(begin, end));
		begin = end;
	}
	return hash.digest();
}

const form = (boundary: string, content: string) =>
	Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${content}\r\n--${boundary}--\r\n`);

test("where the pieces begin and end does not matter", () => {
	const cuts = fc.array(fc.nat(500), { maxLength: 20 });
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 300 }), cuts, (bytes, given) => {
			expect(hashOf(bytes, "application/json", given)).toBe(hashOf(bytes, "application/json"));
		}),
		{ seed: 1, numRuns: 50 },
	);
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 100 }), cuts, (content, given) => {
			const type = "multipart/form-data; boundary=aab";
			expect(hashOf(form("aab", content), type, given)).toBe(hashOf(form("aab", content), type));
		}),
		{ seed: 2, numRuns: 100 },
	);
});

test("one form with two boundaries is one, and two forms are two", () => {
	const hash = (boundary: string, content: string, quote = "") => hashOf(form(boundary, content), `multipart/form-data; boundary=${quote}${boundary}${quote}`);
	expect(hash("----one", "text")).toBe(hash("----another1", "text", '"'));
	expect(hash("----one", "text")).not.toBe(hash("----one", "texts"));
	expect(hashOf(Buffer.from("text"), null)).toBe(new Bun.CryptoHasher("sha256").update("text").digest("hex"));
});
