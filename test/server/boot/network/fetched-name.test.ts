/** Names of fetched files: from the header, else the address, and never a path. */

import { expect, test } from "bun:test";
import { fetchedName } from "../../../../server/boot/network/fetched-name.ts";

const cases: readonly (readonly [disposition: string | null, address: string, expected: string | null])[] = [
	[null, "https://x.test/a/report.pdf?b=c.doc#d", "report.pdf"],
	[null, "https://x.test/", null],
	[null, "https://x.test", null],
	[null, "https://x.test/docs/", null],
	[null, "https://x.test/na%C3%AFve.md", "naïve.md"],
	[null, "https://x.test/%E0%A4%A", "%E0%A4%A"],
	[null, "https://x.test/..%2f..%2fetc%2fpasswd", "passwd"],
	[null, "https://x.test/a%0d%0ab%E2%80%AEfdp.exe", "abfdp.exe"],
	["attachment", "https://x.test/a.pdf", "a.pdf"],
	['attachment; filename="b c.pdf"', "https://x.test/a.pdf", "b c.pdf"],
	["attachment; filename=b.pdf; size=3", "https://x.test/a", "b.pdf"],
	["attachment; filename=\"plain.pdf\"; filename*=UTF-8''na%C3%AFve.pdf", "https://x.test/a", "naïve.pdf"],
	['attachment; filename="a\\"b.pdf"', "https://x.test/x", 'a"b.pdf'],
	['attachment; filename="../../etc/passwd"', "https://x.test/x", "passwd"],
	['attachment; filename="C:\\\\x\\\\y.doc"', "https://x.test/x", "y.doc"],
	['attachment; filename=".."', "https://x.test/x.txt", "x.txt"],
	['attachment; filename=""', "https://x.test/x.txt", "x.txt"],
	[`attachment; filename="${"x".repeat(999)}"`, "https://x.test/", "x".repeat(255)],
];

for (const [disposition, address, expected] of cases) {
	test(`${disposition?.slice(0, 60) ?? "nothing"} at ${address} names ${expected?.slice(0, 40) ?? "nothing"}`, () => {
		expect(fetchedName(disposition, new URL(address))).toBe(expected);
	});
}
