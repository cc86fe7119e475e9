/** Sign-ins with a code: asked for as often as the service allows, until somebody has signed in, refuses, or the time is over. */

import { expect, test } from "bun:test";
import { asId, type Connector, fail, type OrganisationId, ServiceError, type Step } from "cairn-memory";
import type { Connection } from "../../../core/connections/connection.ts";
import { createConnectionService } from "../../../core/connections/connection-service.ts";
import { connectionStore } from "../../../core/connections/connection-store.ts";
import { signInHandler } from "../../../core/jobs/sign-in-handler.ts";
import type { NewJob } from "../../../core/ports/job-queue.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = { organisation, role: "admin", grants: null, id: "key" } as const;
const { signal } = new AbortController();
const fiveMinutesMs = 300_000;

type SignIn = NonNullable<Connector["signIn"]>;
type Answer = Awaited<ReturnType<NonNullable<SignIn["device"]>["poll"]>> | ServiceError;

/** A service whose answers are given in turn; then nobody has signed in yet. */
function bench() {
	const world = createTestWorld();
	const answers: Answer[] = [];
	const faults: ServiceError[] = [];
	const credentials = { accessToken: "access-of-ada", expiresAt: null, refreshToken: "refresh-of-ada", isOfDevice: true } as const;
	const signedIn = { credentials, account: { id: "ada", address: "ada@example.com" } };
	let polls = 0;
	const signIn: SignIn = {
		isNeeded: ({ key }) => key === undefined,
		begin: async () => "https://service.example/",
		finish: async () => signedIn,
		refresh: async () => credentials,
		revoke: async () => undefined,
		device: {
			begin: async () => ({
				...{ deviceCode: "device-code-of-the-test", userCode: "WDJB-MJHT", link: "https://service.example/device" },
				...{ intervalMs: 5_000, lifeMs: fiveMinutesMs },
			}),
			poll: async ({ deviceCode }) => {
				expect(deviceCode).toBe("device-code-of-the-test");
				polls += 1;
				const answer = answers.shift() ?? "pending";
				if (answer instanceof ServiceError) throw answer;
				return answer;
			},
			account: async ({ accessToken }) => {
				expect(accessToken).toBe("access-of-ada");
				const fault = faults.shift();
				if (fault !== undefined) throw fault;
				return signedIn.account;
			},
		},
	};
	const connector: Connector = {
		...{ name: "shelf", secrets: ["key"], syncEveryMs: 3_600_000, signIn },
		configure: (metadata, documentsMax) => ({ ...(metadata as Record<string, string>), documentsMax }),
		sync: async function* () {},
	};
	const parts = createTestParts(world, { connectors: [connector] });
	const connections = createConnectionService(parts, createNotifier());
	const begin = async (metadata: Record<string, string> = {}, isAtDevice = true) =>
		connections.create(
			caller,
			{ provider: "shelf", containerTags: ["a"], documentLimit: 10, metadata },
			() => ({ redirectUri: "https://cairn.example/callback", redirectsTo: null }),
			signal,
			isAtDevice,
		);
	const { jobs } = parts.storage;
	/** Runs the job that is due, if one is. */
	const poll = async () => {
		const [job] = await jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000);
		if (job === undefined) return null;
		const attempt = signInHandler(parts)(job);
		await attempt.run(signal);
		const next: readonly NewJob[] = (await attempt.next?.()) ?? [];
		await jobs.finish(job, next);
		return next.length;
	};
	const list = () => connections.list(caller, { provider: null, containerTags: [] });
	const codeOf = async (id: string) => {
		try {
			return (await connections.get(caller, id)).id;
		} catch (thrown) {
			return thrown instanceof ServiceError ? [thrown.code, ...thrown.args] : String(thrown);
		}
	};
	return { world, parts, connections, begin, poll, list, codeOf, answers, faults, signedIn, credentials, polls: () => polls, connector };
}

test("a code is told once, and asked for no sooner than the service allows, until somebody has signed in", async () => {
	const { begin, poll, list, codeOf, answers, signedIn, credentials, world, polls, parts } = bench();
	const begun = await begin();
	expect(begun).toMatchObject({ link: "https://service.example/device", userCode: "WDJB-MJHT", lifeMs: fiveMinutesMs, redirectsTo: null });
	expect([await poll(), await codeOf(begun.id), await list()]).toEqual([null, ["SIGN_IN_PENDING", "shelf"], []]);
	world.advance(5_000);
	expect([await poll(), await poll(), polls()]).toEqual([1, null, 1]);
	world.advance(4_999);
	expect(await poll()).toBeNull();
	answers.push(credentials);
	world.advance(1);
	expect([await poll(), await codeOf(begun.id)]).toEqual([0, begun.id]);
	const [made] = await list();
	expect(made).toMatchObject({ id: begun.id, signedIn: { account: signedIn.account }, by: "key" });
	expect(JSON.stringify(made)).not.toMatch(/of-ada/);
	expect(await parts.storage.jobs.claim("w", ["sync"], 1, world.steadyNow(), 60_000)).toMatchObject([{ subject: begun.id }]);
	world.advance(60_000);
	expect([await poll(), polls()]).toEqual([null, 2]);
});

test("`slow_down` makes the interval longer for good, and so does a service that does not answer", async () => {
	const { begin, poll, answers, world, polls } = bench();
	await begin();
	answers.push("slower", fail("ADDRESS_FAILED", "service.example", "it does not respond"));
	for (const [waitMs, count] of [
		[5_000, 1],
		[9_999, 1],
		[1, 2],
		[19_999, 2],
		[1, 3],
		[20_000, 4],
	] as const) {
		world.advance(waitMs);
		await poll();
		expect(polls()).toBe(count);
	}
});

test("a refusal is told to whoever asks for the connection, and nobody asks the service again", async () => {
	const { begin, poll, list, codeOf, answers, world, polls } = bench();
	const { id } = await begin();
	answers.push(fail("SIGN_IN_REFUSED", "shelf", "access_denied"));
	world.advance(5_000);
	expect([await poll(), await codeOf(id), await list()]).toEqual([0, ["SIGN_IN_REFUSED", "shelf", "access_denied"], []]);
	world.advance(60_000);
	expect([await poll(), polls()]).toEqual([null, 1]);
});

test("what a code gave outlives a store that fails for a moment: the code itself is used up", async () => {
	const { begin, list, codeOf, answers, credentials, world, parts, polls } = bench();
	const { id } = await begin();
	answers.push(credentials, fail("SIGN_IN_REFUSED", "shelf", "bad_verification_code"));
	world.advance(5_000);
	const [job] = await parts.storage.jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000);
	if (job === undefined) throw new Error("there is no job");
	const { organisation: open } = parts.storage;
	const failing: typeof open = (of, lease) => {
		const store = open(of, lease);
		const put: typeof store.records.put = (kind, ...rest) => (kind === "connection" ? Promise.reject(fail("STORAGE_FULL")) : store.records.put(kind, ...rest));
		return { ...store, records: { ...store.records, put } };
	};
	const troubled = { ...parts, storage: { ...parts.storage, organisation: failing } };
	const first = signInHandler(troubled)(job);
	await first.run(signal);
	expect([(await first.next?.())?.length, await codeOf(id)]).toEqual([1, ["SIGN_IN_PENDING", "shelf"]]);
	await signInHandler(parts)(job).run(signal);
	expect([(await list()).map((one) => one.id), polls()]).toEqual([[id], 1]);
});

test("a kill behind the connection writes nothing back over what was refreshed since", async () => {
	const { begin, list, answers, credentials, world, parts } = bench();
	const { id } = await begin();
	answers.push(credentials);
	world.advance(5_000);
	const [job] = await parts.storage.jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000);
	if (job === undefined) throw new Error("there is no job");
	const { organisation: open } = parts.storage;
	const dying: typeof open = (of, lease) => {
		const store = open(of, lease);
		return { ...store, records: { ...store.records, remove: () => Promise.reject(fail("LEASE_LOST")) } };
	};
	const attempt = signInHandler({ ...parts, storage: { ...parts.storage, organisation: dying } })(job).run(signal);
	await expect(attempt).rejects.toMatchObject({ code: "LEASE_LOST" });
	const refreshed = (known: Connection) => ({ ...known, ...(known.signedIn && { signedIn: { ...known.signedIn, credentials: "refreshed" } }) });
	await connectionStore(open(organisation).records, world).amend(id, refreshed);
	world.advance(1_000);
	await signInHandler(parts)(job).run(signal);
	expect((await list()).map((one) => [one.id, one.signedIn?.credentials])).toEqual([[id, "refreshed"]]);
});

test("when the time is over nobody asks any more, and the code is forgotten", async () => {
	const { begin, poll, list, codeOf, world, polls } = bench();
	const { id } = await begin();
	world.advance(fiveMinutesMs);
	expect([await poll(), await poll(), await codeOf(id), await list(), polls()]).toEqual([0, null, ["CONNECTION_MISSING"], [], 0]);
});

test("the same account mends its connection; a key of one's own needs no sign-in; a browser cannot finish a code", async () => {
	const { begin, poll, list, answers, credentials, world, connections } = bench();
	const { id } = await begin();
	answers.push(credentials, credentials);
	world.advance(5_000);
	await poll();
	expect((await begin()).id).toBe(id);
	world.advance(5_000);
	await poll();
	expect((await list()).map((one) => one.id)).toEqual([id]);
	const own = await begin({ key: "of-ones-own" });
	expect([(await list()).map((one) => one.id).toSorted(), (await list()).find((one) => one.id === own.id)?.signedIn]).toEqual([
		[id, own.id].toSorted(),
		undefined,
	]);
	await expect(connections.finishSignIn("shelf", new URLSearchParams({ state: "device-code-of-the-test" }), signal)).rejects.toMatchObject({
		code: "SIGN_IN_UNKNOWN",
	});
});

test("a provider without such a sign-in says so", async () => {
	const { begin, connector } = bench();
	Object.assign(connector.signIn ?? {}, { device: undefined });
	await expect(begin()).rejects.toMatchObject({ code: "CONNECTION_INVALID", args: ["shelf", "signIn", expect.any(String)] });
	expect(await begin({}, false)).toMatchObject({ link: "https://service.example/", userCode: null });
});

test("a fault of the account, of this server, or that nobody expected, ends no sign-in, nor does the time of the code once somebody has signed in", async () => {
	const { begin, poll, list, codeOf, answers, faults, credentials, world, polls, connector } = bench();
	const { id } = await begin();
	answers.push(fail("INTERNAL"), fail("ADDRESS_CHANGED", "service.example", "a page for people"), credentials);
	faults.push(fail("INTERNAL"), fail("ADDRESS_FAILED", "service.example", "it does not respond"));
	for (let tries = 0; tries < 3; tries++) {
		world.advance(60_000);
		expect(await poll()).toBe(1);
	}
	const { device } = connector.signIn ?? {};
	world.advance(fiveMinutesMs);
	Object.assign(connector.signIn ?? {}, { device: undefined });
	expect([await poll(), await codeOf(id)]).toEqual([1, ["SIGN_IN_PENDING", "shelf"]]);
	Object.assign(connector.signIn ?? {}, { device });
	for (let tries = 0; tries < 2; tries++) {
		world.advance(60_000);
		await poll();
	}
	expect([(await list()).map((one) => one.id), polls()]).toEqual([[id], 3]);
});

test("a pause that the service asks for is kept", async () => {
	const { begin, poll, answers, world, polls } = bench();
	await begin();
	answers.push(fail("ADDRESS_FAILED", "service.example", "status 429").after(90_000));
	for (const [waitMs, count] of [
		[5_000, 1],
		[89_999, 1],
		[1, 2],
	] as const) {
		world.advance(waitMs);
		await poll();
		expect(polls()).toBe(count);
	}
});

test("a stop while the service answers loses nothing of what the code gave", async () => {
	const { begin, poll, list, connector, world, parts, credentials } = bench();
	const { id } = await begin();
	world.advance(5_000);
	const stop = new AbortController();
	const { device } = connector.signIn ?? {};
	const answering = async (_code: unknown, step: Step) => {
		stop.abort();
		step.signal.throwIfAborted();
		return credentials;
	};
	const account = async (_credentials: unknown, step: Step) => {
		step.signal.throwIfAborted();
		return { id: "ada", address: "ada@example.com" };
	};
	Object.assign(connector.signIn ?? {}, { device: { ...device, poll: answering, account } });
	const [job] = await parts.storage.jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000);
	if (job === undefined) throw new Error("there is no job");
	await expect(signInHandler(parts)(job).run(stop.signal)).rejects.toThrow();
	await parts.storage.jobs.retry(job, world.steadyNow(), "the server stopped", true);
	Object.assign(connector.signIn ?? {}, { device });
	expect([await poll(), (await list()).map((one) => one.id)]).toEqual([0, [id]]);
});

test("a sign-in leaves the connection by a key alone: its id is another, and deleting by it removes nothing", async () => {
	const { begin, poll, list, codeOf, answers, world, connections } = bench();
	const by = await begin({ key: "of-ones-own" });
	const { id } = await begin();
	expect(id).not.toBe(by.id);
	answers.push(fail("SIGN_IN_REFUSED", "shelf", "access_denied"));
	world.advance(5_000);
	await poll();
	expect(await codeOf(id)).toEqual(["SIGN_IN_REFUSED", "shelf", "access_denied"]);
	await expect(connections.remove(caller, id, false)).rejects.toMatchObject({ code: "CONNECTION_MISSING" });
	expect((await list()).map((one) => one.id)).toEqual([by.id]);
});
