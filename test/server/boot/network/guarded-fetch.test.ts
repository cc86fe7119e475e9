/** The one way out: nothing private is reached, at no hop and by no trick. */

import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test";
import { Socket } from "node:net";
import { createGuardedFetch } from "../../../../server/boot/network/guarded-fetch.ts";
import { privateHosts } from "./private-hosts.ts";
import { testCertificate, testKey } from "./test-certificate.ts";
import { bounds, guard, rejection, textOf } from "./test-guard.ts";
import { listen, reply } from "./trap.ts";

const connect = spyOn(Socket.prototype, "connect");
afterEach(() => {
	connect.mockClear();
});
afterAll(() => connect.mockRestore());

describe("addresses that lead inside", () => {
	test("no packet is sent to any of them", async () => {
		const trap = await listen((socket) => reply(socket, "200 OK", {}, "secret"));
		connect.mockClear();
		const fetch = createGuardedFetch({
			allow: [],
			ports: [80, trap.port],
			log: () => {},
			resolve: async (host) => (host.includes("localhost") ? ["127.0.0.1", "::1"] : ["10.0.0.1"]),
		});
		for (const host of privateHosts) {
			for (const port of [80, trap.port]) {
				expect([host, await rejection(fetch(`http://${host}:${port}/`, bounds()))]).toMatchObject([host, { code: "ADDRESS_BLOCKED" }]);
			}
		}
		expect(connect).not.toHaveBeenCalled();
		expect(trap.heard).toEqual([]);
	});

	test("the system's own resolver is asked by default, and its answer is checked", async () => {
		const fetch = createGuardedFetch({ allow: [], log: () => {} });
		expect(await rejection(fetch("http://localhost/", bounds()))).toMatchObject({ code: "ADDRESS_BLOCKED" });
		expect(connect).not.toHaveBeenCalled();
	});

	test("one private answer among public ones blocks the name", async () => {
		for (const answers of [["93.184.215.14", "10.0.0.1"], ["2606:4700::1111", "::1"], ["93.184.215.14", "fe80::1%eth0"], ["not an address"]]) {
			expect(await rejection(guard({ resolve: async () => answers })("http://two.test/", bounds()))).toMatchObject({ code: "ADDRESS_BLOCKED" });
		}
		expect(connect).not.toHaveBeenCalled();
	});

	test("a public answer is connected to, by its number", async () => {
		const holdBack = function (this: Socket) {
			queueMicrotask(() => this.destroy(Object.assign(new Error("held back by the test"), { code: "ENETUNREACH" })));
			return this;
		};
		connect.mockImplementationOnce(holdBack).mockImplementationOnce(holdBack);
		const numbers = ["93.184.215.14", "2606:4700::1111"];
		await rejection(guard({ resolve: async () => numbers })("https://public.test/", bounds()));
		const reached = connect.mock.calls.map((call) => JSON.stringify(call));
		expect(reached).toHaveLength(2);
		for (const [index, number] of numbers.entries()) expect(reached[index]).toContain(number);
	});

	test("a name or a password in the address is refused", async () => {
		for (const address of ["http://good@127.0.0.1/", "http://example.com@127.0.0.1/", "https://user:hunter2@good.test/"]) {
			const error = await rejection(guard({ allow: ["good.test", "127.0.0.1"] })(address, bounds()));
			expect(error.code).toBe("ADDRESS_BLOCKED");
			expect(error.message).not.toContain("hunter2");
		}
		expect(connect).not.toHaveBeenCalled();
	});

	test("ports that speak other protocols are refused on public hosts", async () => {
		for (const port of [21, 22, 25, 110, 143, 3306, 5432, 6379, 9200, 11211, 65535]) {
			expect(await rejection(guard({ resolve: async () => ["93.184.215.14"] })(`http://public.test:${port}/`, bounds()))).toMatchObject({
				code: "ADDRESS_BLOCKED",
			});
		}
		expect(connect).not.toHaveBeenCalled();
	});

	test("only http and https are addresses", async () => {
		for (const address of [
			"file:///etc/passwd",
			"ftp://x.test/",
			"gopher://x.test/",
			"data:text/html,x",
			"blob:http://x.test/1",
			"jar:http://x.test!/",
			"javascript:1",
			"//x.test/",
			"x.test",
			"",
			"http://",
			"http://a b/",
			"http://[::1",
			"http://x:99999/",
		]) {
			expect([address, await rejection(guard()(address, bounds()))]).toMatchObject([address, { code: "ADDRESS_MALFORMED" }]);
		}
	});
});

describe("what is allowed", () => {
	test("an allowed host is reached, on exactly that port", async () => {
		const here = await listen((socket) => reply(socket, "200 OK", {}, "here"));
		const other = await listen((socket) => reply(socket, "200 OK", {}, "other"));
		const fetch = guard({ allow: [`Wiki.test:${here.port}`] });
		expect(textOf(await fetch(`http://wiki.test:${here.port}/`, bounds()))).toBe("here");
		for (const address of [
			`http://wiki.test:${other.port}/`,
			"http://wiki.test/",
			`http://a.wiki.test:${here.port}/`,
			`http://wiki.test.:${here.port}/`,
			`http://127.0.0.1:${here.port}/`,
		]) {
			expect(await rejection(fetch(address, bounds()))).toMatchObject({ code: "ADDRESS_BLOCKED" });
		}
		expect(other.heard).toEqual([]);
		expect(here.heard).toHaveLength(1);
	});

	test("an allowed host without a port is meant on the scheme's own", async () => {
		const fetch = guard({ allow: ["wiki.test"], ports: [] });
		expect(await rejection(fetch("http://wiki.test:8080/", bounds()))).toMatchObject({ code: "ADDRESS_BLOCKED" });
		expect(await rejection(fetch("http://wiki.test:80/", bounds()))).not.toMatchObject({ code: "ADDRESS_BLOCKED" });
	});

	// Only Linux has all of 127.0.0.0/8 on its loopback.
	test.if(process.platform === "linux")("a name that changes its mind is asked once a hop, and the first answer is connected to", async () => {
		const good = await listen((socket, request) =>
			request.includes("/again") ? reply(socket, "200 OK", {}, "good") : reply(socket, "302 Found", { location: "/again" }),
		);
		const evil = await listen((socket) => reply(socket, "200 OK", {}, "evil"), "127.0.0.2", good.port);
		let asked = 0;
		const resolve = async () => {
			asked += 1;
			return asked % 2 === 1 || asked === 2 ? ["127.0.0.1"] : ["127.0.0.2"];
		};
		expect(textOf(await guard({ allow: [`shifty.test:${good.port}`], resolve })(`http://shifty.test:${good.port}/`, bounds()))).toBe("good");
		expect(asked).toBe(2);
		expect(evil.heard).toEqual([]);
	});

	test.if(process.platform === "linux")("the next address is tried when nobody answers at the first", async () => {
		const here = await listen((socket) => reply(socket, "200 OK", {}, "here"));
		const fetch = guard({ allow: [`two.test:${here.port}`], resolve: async () => ["127.0.0.3", "127.0.0.1"] });
		expect(textOf(await fetch(`http://two.test:${here.port}/`, bounds()))).toBe("here");
	});

	test("proxies in the environment see nothing", async () => {
		const proxy = await listen((socket) => reply(socket, "200 OK", {}, "by proxy"));
		const here = await listen((socket) => reply(socket, "200 OK", {}, "direct"));
		const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NODE_USE_ENV_PROXY"];
		const before = names.map((name) => [name, process.env[name]] as const);
		for (const name of names) process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : `http://127.0.0.1:${proxy.port}`;
		try {
			expect(textOf(await guard({ allow: [`wiki.test:${here.port}`] })(`http://wiki.test:${here.port}/`, bounds()))).toBe("direct");
		} finally {
			for (const [name, value] of before) {
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
			}
		}
		expect(proxy.heard).toEqual([]);
	});
});

describe("redirects", () => {
	/** `/1` leads to `/2` and so on up to `/last`, which leads to the target. */
	async function chain(last: number, target: string) {
		const server = await listen((socket, request) => {
			const hop = Number(/^GET \/(\d+)/.exec(request)?.[1]);
			if (hop === 0) return reply(socket, "200 OK", {}, "arrived");
			return reply(socket, ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"][hop % 5] ?? "", {
				location: hop < last ? `/${hop + 1}` : target,
			});
		});
		return { server, run: guard({ allow: [`hops.test:${server.port}`] })(`http://hops.test:${server.port}/1`, bounds()) };
	}

	for (const last of [1, 2, 3]) {
		test(`one to a private address at hop ${last} is blocked before it is reached`, async () => {
			const trap = await listen((socket) => reply(socket, "200 OK", {}, "secret"));
			const { server, run } = await chain(last, `http://127.0.0.1:${trap.port}/`);
			expect(await rejection(run)).toMatchObject({ code: "ADDRESS_BLOCKED" });
			expect(server.heard).toHaveLength(last);
			expect(trap.heard).toEqual([]);
		});
	}

	test("five are followed, six are not", async () => {
		const five = await chain(5, "/0");
		const fetched = await five.run;
		expect(textOf(fetched)).toBe("arrived");
		expect(fetched.address.pathname).toBe("/0");
		const six = await chain(6, "/0");
		expect(await rejection(six.run)).toMatchObject({ code: "ADDRESS_BLOCKED" });
		expect(six.server.heard).toHaveLength(6);
	});

	test("one in a circle ends", async () => {
		expect(await rejection((await chain(1, "/1")).run)).toMatchObject({ code: "ADDRESS_BLOCKED" });
	});

	test("one to another kind of address, with a user, or to nowhere is refused", async () => {
		for (const target of ["file:///etc/passwd", "data:text/plain,x", "http://user:pw@hops.test/", "http://[::1]/", "http://exa mple/"]) {
			expect([target, await rejection((await chain(1, target)).run)]).toMatchObject([target, { code: "ADDRESS_BLOCKED" }]);
		}
		const server = await listen((socket) => reply(socket, "302 Found"));
		expect(await rejection(guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds()))).toMatchObject({ code: "ADDRESS_REFUSED" });
	});

	test("cookies that a hop sets are not sent to the next", async () => {
		const server = await listen((socket, request) =>
			request.startsWith("GET /next")
				? reply(socket, "200 OK")
				: reply(socket, "302 Found", { location: "/next", "set-cookie": "sid=1", "www-authenticate": "Basic" }),
		);
		await guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds());
		expect(server.heard).toHaveLength(2);
		for (const request of server.heard) expect(request).not.toMatch(/cookie|authorization|referer/i);
	});
});

describe("certificates", () => {
	test("are checked against the name, though the number is connected to", async () => {
		const server = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			tls: { key: testKey, cert: testCertificate },
			fetch: (request) => new Response(`for ${request.headers.get("host")}`),
		});
		try {
			const at = (name: string) => `https://${name}:${server.port}/`;
			const allow = [`good.test:${server.port}`, `evil.test:${server.port}`];
			const trusting = guard({ allow, authorities: [testCertificate] });
			expect(textOf(await trusting(at("good.test"), bounds()))).toBe(`for good.test:${server.port}`);
			expect(await rejection(trusting(at("evil.test"), bounds()))).toMatchObject({ code: "ADDRESS_FAILED", message: expect.stringContaining("certificate") });
			process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
			expect(await rejection(guard({ allow })(at("good.test"), bounds()))).toMatchObject({
				code: "ADDRESS_FAILED",
				message: expect.stringContaining("certificate"),
			});
		} finally {
			delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
			await server.stop(true);
		}
	});
});
