/** Which hosts a server answers for: on loopback those of this machine, elsewhere all, and what the operator names. */

import { describe, expect, test } from "bun:test";
import { createKnownHosts, hostnameOf, type KnownHostsSettings } from "../../../server/auth/known-hosts.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";

const onLoopback: KnownHostsSettings = { host: "127.0.0.1", hosts: null, corsOrigins: [], oauthAddress: null };

/** The code of the refusal; null if the request is let through. */
function answer(settings: Partial<KnownHostsSettings>, host: string, origin: string | null = null, method = "POST"): string | null {
	const request = new Request(`http://${host}/v3/documents`, { method, headers: origin === null ? {} : { origin } });
	try {
		createKnownHosts({ ...onLoopback, ...settings })(request);
		return null;
	} catch (thrown) {
		return (thrown as { readonly code: string }).code;
	}
}

const ours = ["localhost", "localhost:6767", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:6767", "127.0.0.2:80", "[::1]", "[::1]:6767", "localhost.:6767"];
const foreign = ["evil.example", "evil.example:6767", "localhost.evil.example", "127.0.0.1.evil.example:6767", "10.0.0.1:6767", "[::2]:6767", "localhos:6767"];

describe("on loopback", () => {
	for (const listening of ["127.0.0.1", "localhost", "::1", "127.0.0.53"]) {
		test(`${listening}: its own names at any port, and no others`, () => {
			for (const host of ours) expect([host, answer({ host: listening }, host)]).toEqual([host, null]);
			for (const host of foreign) expect([host, answer({ host: listening }, host)]).toEqual([host, "HOST_FORBIDDEN"]);
		});
	}

	test("reading is refused as well, since a page of that host could see the answer", () => {
		for (const method of ["GET", "HEAD", "OPTIONS"]) expect(answer({}, "evil.example", null, method)).toBe("HOST_FORBIDDEN");
	});

	test("hosts that the operator names, and the address for OAuth", () => {
		expect(answer({ hosts: ["cairn.example.com"] }, "cairn.example.com:8443")).toBeNull();
		expect(answer({ hosts: ["cairn.example.com"] }, "www.cairn.example.com")).toBe("HOST_FORBIDDEN");
		expect(answer({ hosts: ["cairn.example.com"] }, "localhost:6767")).toBeNull();
		expect(answer({ oauthAddress: "https://memory.example.com" }, "memory.example.com")).toBeNull();
		expect(answer({ hosts: ["*"] }, "anything.example")).toBeNull();
	});

	test("what changes something comes from no page, from one of these hosts or from an allowed origin", () => {
		for (const origin of [null, "http://localhost:5173", "http://127.0.0.1:6767", "https://[::1]:8000"])
			expect([origin, answer({}, "localhost", origin)]).toEqual([origin, null]);
		for (const origin of [
			"http://evil.example",
			"null",
			"https://localhost.evil.example",
			"chrome-extension://abcdef",
			"http://localhost@evil.example",
			"javascript://localhost",
		])
			expect([origin, answer({}, "localhost", origin)]).toEqual([origin, "ORIGIN_FORBIDDEN"]);
		expect(answer({}, "localhost", "http://evil.example", "GET")).toBeNull();
		expect(answer({ corsOrigins: ["chrome-extension://abcdef"] }, "localhost", "chrome-extension://abcdef")).toBeNull();
		expect(answer({ corsOrigins: ["*"] }, "localhost", "http://evil.example")).toBeNull();
		expect(answer({ hosts: ["cairn.example.com"] }, "cairn.example.com", "https://cairn.example.com")).toBeNull();
	});
});

test("on other addresses every host is answered, until the operator names some", () => {
	for (const listening of ["0.0.0.0", "::", "192.168.1.5"]) {
		expect(answer({ host: listening }, "nas.local:6767", "http://elsewhere.example")).toBeNull();
		expect(answer({ host: listening, hosts: ["nas.local"] }, "nas.local:6767")).toBeNull();
		expect(answer({ host: listening, hosts: ["nas.local"] }, "evil.example:6767")).toBe("HOST_FORBIDDEN");
		expect(answer({ host: listening, hosts: ["nas.local"] }, "127.0.0.1:6767")).toBeNull();
	}
	expect(answer({ host: "192.168.1.5", hosts: ["nas.local"] }, "192.168.1.5:6767")).toBeNull();
});

test("the setting takes names without scheme and port", () => {
	const read = (text: string) => readSettings({ env: { CAIRN_HOSTS: text }, flags: [] }).hosts;
	expect(read("Cairn.Example.COM, nas.local")).toEqual(["cairn.example.com", "nas.local"]);
	expect(read("*")).toEqual(["*"]);
	expect(read("fd00::1,[fd00::2]")).toEqual(["[fd00::1]", "[fd00::2]"]);
	expect(readSettings({ env: {}, flags: [] }).hosts).toBeNull();
	for (const wrong of ["https://cairn.example.com", "cairn.example.com:8443", "a b", "a,,b", "cairn.example.com/x", "*,a", "[::1", "user@host"])
		expect(() => read(wrong)).toThrow(/CAIRN_HOSTS.*should be host names/);
	expect(hostnameOf("::1")).toBe("[::1]");
});
