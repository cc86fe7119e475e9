/** Addresses as they are shown: recognizable, and without secrets. */

import { expect, test } from "bun:test";
import { redactAddress } from "../../../../server/boot/network/redact-address.ts";

const cases: readonly (readonly [address: string, shown: string])[] = [
	["https://x.test/a/b", "https://x.test/a/b"],
	["https://x.test/a?token=hunter2&b=1", "https://x.test/a?…"],
	["https://x.test/a#hunter2", "https://x.test/a?…"],
	["https://ada:hunter2@x.test:8443/a", "https://x.test:8443/a"],
	["ada:hunter2@x.test/a", "ada:…"],
	["//ada:hunter2@x.test/a?hunter2", "//x.test/a?…"],
	["http://ada:hunter2@exa mple/", "http://exa mple/"],
	["data:text/plain,hunter2", "data:…"],
	["not\r\nan address", "not��an address"],
];

for (const [address, shown] of cases) {
	test(`${JSON.stringify(address)} is shown as ${shown}`, () => {
		expect(redactAddress(address)).toBe(shown);
		expect(shown).not.toContain("hunter2");
	});
}

test("a long address is cut", () => {
	expect(redactAddress(`https://x.test/${"a".repeat(5_000)}`).length).toBe(201);
});
