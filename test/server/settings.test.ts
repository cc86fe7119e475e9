/** Settings: three spellings, one value; what nobody knows is refused with its neighbour. */

import { describe, expect, test } from "bun:test";
import { readSettings } from "../../server/settings/read-settings.ts";

const read = (env: Record<string, string>, flags: string[] = [], use = {}) => readSettings({ env, flags }, use);

test("defaults listen on loopback only", () => {
	expect(read({})).toMatchObject({ port: 6767, host: "127.0.0.1", apiKey: null, use: { storage: "sqlite", embedder: "static", reranker: "none" } });
	expect(Object.isFrozen(read({}))).toBe(true);
});

test("file yields to environment, environment to flags", () => {
	expect(read({}, [], { embedder: "a" }).use.embedder).toBe("a");
	expect(read({ CAIRN_USE_EMBEDDER: "b" }, [], { embedder: "a" }).use.embedder).toBe("b");
	expect(read({ CAIRN_USE_EMBEDDER: "b" }, ["--use-embedder=c"], { embedder: "a" }).use.embedder).toBe("c");
	expect(read({ PORT: "1" }, ["--port", "2"]).port).toBe(2);
	expect(read({ PORT: "" }).port).toBe(6767);
});

test("passes over what is said to the commands of the same shell", () => {
	expect(read({ CAIRN_URL: "http://127.0.0.1:1", CAIRN_CONTAINER: "a" })).toEqual(read({}));
});

describe("refuses", () => {
	const cases: readonly [string, Record<string, string>, string[], RegExp][] = [
		["a misspelt setting, naming its neighbour", { CAIRN_DATADIR: "/x" }, [], /CAIRN_DATADIR; did you mean CAIRN_DATA_DIR\?/],
		["a setting like no other, naming all", { CAIRN_ZZZZZZZZZZZZZZZZZZZZZZZZZZZ: "1" }, [], /there are .*CAIRN_DATA_DIR/],
		["a misspelt flag", {}, ["--prot=1"], /--prot; did you mean --port\?/],
		["a stray word", {}, ["serve"], /serve/],
		["a port that is none", { PORT: "http" }, [], /PORT.*"http".*whole number from 0 to 65535/],
		["a port beyond", { PORT: "70000" }, [], /whole number/],
		["a key that could be guessed, without showing it", { CAIRN_API_KEY: "short" }, [], /16 to 512 characters/],
		["a level nobody knows", { CAIRN_LOG_LEVEL: "loud" }, [], /debug, info, warn, error/],
	];
	for (const [name, env, flags, words] of cases) test(name, () => expect(() => read(env, flags)).toThrow(words));
	test("and never repeats a secret", () => {
		try {
			read({ CAIRN_API_KEY: "short secret" });
		} catch (thrown) {
			expect(String(thrown)).not.toContain("short secret");
		}
	});
});
