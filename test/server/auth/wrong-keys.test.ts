/** Wrong keys by a clock that moves only when told: some at once, then slowly, each network for itself; right keys always. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWrongKeys, wrongKeyLimit } from "../../../server/auth/wrong-keys.ts";
import { startServerProcess } from "../../doubles/server-process.ts";

function counted() {
	let now = 0;
	const lines: unknown[] = [];
	const answer = createWrongKeys({ elapsedMs: () => now, log: (level, message, facts) => lines.push({ level, message, ...facts }) });
	const codes = (address: string | null, count: number) => Array.from({ length: count }, () => answer(address).code);
	const advance = (ms: number) => {
		now += ms;
	};
	return { answer, codes, lines, advance };
}
const most = wrongKeyLimit.requestsMax;
const stepMs = wrongKeyLimit.windowMs / most;

test("so many are answered at once; then the answer says when the next is looked at, and it is", () => {
	const { answer, codes, advance } = counted();
	expect(new Set(codes("192.0.2.1", most))).toEqual(new Set(["KEY_INVALID"]));
	expect(answer("192.0.2.1")).toMatchObject({ code: "KEYS_WRONG", kind: "exhausted", retryAfterMs: stepMs });
	advance(stepMs / 2);
	expect(codes("192.0.2.1", 1)).toEqual(["KEYS_WRONG"]);
	advance(stepMs);
	expect(codes("192.0.2.1", 2)).toEqual(["KEY_INVALID", "KEYS_WRONG"]);
});

test("networks are counted apart: an IPv4 address in either spelling, and of IPv6 what one customer has", () => {
	const { codes } = counted();
	codes("192.0.2.1", most);
	expect(codes("::ffff:192.0.2.1", 1)).toEqual(["KEYS_WRONG"]);
	expect(codes("192.0.2.2", 1)).toEqual(["KEY_INVALID"]);
	codes("2001:db8:1:2::1", most);
	expect(codes("2001:db8:1:2:aaaa::9", 1)).toEqual(["KEYS_WRONG"]);
	expect(codes("2001:db8:1:3::1", 1)).toEqual(["KEY_INVALID"]);
});

test("the log tells once a minute, and never the key", () => {
	const { codes, lines, advance } = counted();
	codes("192.0.2.1", most * 3);
	expect(lines).toEqual([{ level: "warn", message: "many wrong keys come from one network", network: "192.0.2.1" }]);
	advance(60_000);
	codes("192.0.2.1", most * 3);
	expect(lines).toHaveLength(2);
});

test("a hundred thousand networks take no more memory than twenty thousand, and those of just now are still counted", () => {
	const { codes } = counted();
	for (let i = 0; i < 100_000; i++) codes(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 1);
	expect(new Set(codes("10.1.134.159", most - 1))).toEqual(new Set(["KEY_INVALID"]));
	expect(codes("10.1.134.159", 1)).toEqual(["KEYS_WRONG"]);
});

test("over HTTP: wrong ones get 429 with Retry-After, the right one is answered all the while", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-wrong-keys-"));
	const server = await startServerProcess(folder, { CAIRN_API_KEY: "key-of-the-operator" });
	const ask = (key: string | null) => fetch(`${server.address}/v3/session`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
	const answers: Response[] = [];
	for (let i = 0; i < most + 3; i++) answers.push(await ask(`sm_guess_${i}`), await ask("key-of-the-operator"), await ask(null));
	const statuses = (nth: number) => answers.filter((_, i) => i % 3 === nth).map(({ status }) => status);
	expect(statuses(0).slice(0, most)).toEqual(Array(most).fill(401));
	expect(statuses(0).at(-1)).toBe(429);
	expect(new Set(statuses(1))).toEqual(new Set([200]));
	expect(new Set(statuses(2))).toEqual(new Set([401]));
	const refused = await ask("sm_guess");
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
	expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(Math.ceil(stepMs / 1_000));
	expect(await refused.json()).toMatchObject({ code: "KEYS_WRONG" });
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
}, 60_000);
