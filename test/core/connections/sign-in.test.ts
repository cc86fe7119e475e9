/** Sign-ins: links that work once and for an hour, connections that are made and mended, and tokens that are refreshed one at a time. */

import { expect, test } from "bun:test";
import { asId, type Connector, fail, type OrganisationId, ServiceError, type World } from "cairn-memory";
import type { RecordStore } from "cairn-memory/stores";
import { accessTokenOf } from "../../../core/connections/access-token.ts";
import { claimSource, retagConnections } from "../../../core/connections/claim-source.ts";
import { type Connection, openCredentials } from "../../../core/connections/connection.ts";
import { createConnectionService } from "../../../core/connections/connection-service.ts";
import { connectionStore } from "../../../core/connections/connection-store.ts";
import { deleteConnection } from "../../../core/connections/delete-connection.ts";
import { endSignIn } from "../../../core/connections/end-sign-in.ts";
import type { FinishedSignIn, SignInLink } from "../../../core/connections/sign-in.ts";
import { limits } from "../../../core/model/limits.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createFastWorld } from "../../doubles/fast-world.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";

const [organisation, other] = ["1111111111111111111111", "2222222222222222222222"].map((id) => asId<OrganisationId>(id)) as [OrganisationId, OrganisationId];
const callerOf = (of: OrganisationId) => ({ organisation: of, role: "admin", grants: null, id: "key" }) as const;
const signal = new AbortController().signal;

type SignIn = NonNullable<Connector["signIn"]>;

/** A service that gives a new refresh token each time and takes each once. */
function bench(world = createTestWorld()) {
	const service = {
		...{ account: "ada", valid: "refresh-0", refreshes: 0, revoked: [] as (string | null)[], isOver: false, takesReplaced: false },
		/** Before it tells whose a token is. */
		held: Promise.resolve(),
	};
	const credentials = (): Awaited<ReturnType<SignIn["refresh"]>> => ({
		accessToken: `access-${service.refreshes}`,
		expiresAt: new Date(world.now().getTime() + 3_600_000).toISOString(),
		refreshToken: service.valid,
	});
	const signIn: SignIn = {
		begin: async ({ state, accountHint }) => `https://service.example/?${new URLSearchParams({ state, hint: accountHint ?? "" })}`,
		finish: async (_attempt, callback, _step, gave) => {
			if (callback.has("error")) throw fail("SIGN_IN_REFUSED", "shelf", "access_denied");
			gave?.(credentials());
			if (callback.has("less")) throw fail("SIGN_IN_REFUSED", "shelf", "it was not allowed to read");
			await service.held;
			return { credentials: credentials(), account: { id: service.account, address: `${service.account}@example.com` } };
		},
		refresh: async ({ refreshToken }) => {
			const isValid = (refreshToken === service.valid || service.takesReplaced) && !service.isOver;
			service.refreshes += 1;
			service.valid = `refresh-${service.refreshes}`;
			await world.sleep(20, signal);
			if (!isValid) throw fail("CONNECTION_UNAUTHORIZED", "shelf", "invalid_grant");
			return credentials();
		},
		revoke: async ({ refreshToken }) => void service.revoked.push(refreshToken),
	};
	const connector: Connector = {
		...{ name: "shelf", secrets: ["key"], syncEveryMs: 3_600_000, signIn },
		configure: (metadata, documentsMax) => ({ ...(metadata as Record<string, string>), documentsMax }),
		sync: async function* () {},
	};
	const parts = createTestParts(world, { connectors: [connector] });
	const connections = createConnectionService(parts, createNotifier());
	const begin = async (metadata: Record<string, string> = {}, of = organisation, containerTags = ["a"]) => {
		const wanted = { provider: "shelf", containerTags, documentLimit: 10, metadata };
		const created = await connections.create(callerOf(of), wanted, () => ({ redirectUri: "https://cairn.example/callback", redirectsTo: null }), signal);
		return created as SignInLink;
	};
	const stateOf = ({ link }: SignInLink) => new URL(link).searchParams.get("state") ?? "";
	const finish = (state: string, more: Record<string, string> = {}, provider = "shelf") =>
		connections.finishSignIn(provider, new URLSearchParams({ state, code: "code", ...more }), signal);
	const list = (of = organisation) => connections.list(callerOf(of), { provider: null, containerTags: [] });
	const recordsOf = (of = organisation) => parts.storage.organisation(of).records;
	return { world, service, connector, parts, connections, begin, stateOf, finish, list, recordsOf };
}

function connectionOf({ result }: FinishedSignIn): Connection {
	if (result instanceof ServiceError) throw result;
	return result.connection;
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
	try {
		await attempt;
	} catch (thrown) {
		return thrown instanceof ServiceError ? thrown.code : String(thrown);
	}
	return "none";
}

test("a connection is made when somebody has signed in, in the organisation that asked", async () => {
	const { begin, stateOf, finish, list, world } = bench();
	const begun = await begin({ key: "secret-key", team: "sales" }, other);
	expect([await list(other), begun.link.includes(other), begun.expiresAt]).toEqual([[], false, new Date(world.now().getTime() + limits.signInMs)]);
	const made = connectionOf(await finish(stateOf(begun)));
	expect(made).toMatchObject({ id: begun.id, metadata: { team: "sales" }, signedIn: { account: { address: "ada@example.com" } }, by: "key" });
	expect([(await list(other)).map(({ id }) => id), await list()]).toEqual([[begun.id], []]);
	expect(JSON.stringify(made)).not.toMatch(/access-0|refresh-0|secret-key/);
});

test("a link works once, for an hour, for its provider, and only as this server made it", async () => {
	const { begin, stateOf, finish, list, world } = bench();
	const first = stateOf(await begin());
	await finish(first);
	const late = stateOf(await begin({}, organisation, ["late"]));
	world.advance(limits.signInMs);
	const elsewhere = stateOf(await begin({}, organisation, ["elsewhere"]));
	const forged = `${elsewhere.startsWith("A") ? "B" : "A"}${elsewhere.slice(1)}`;
	const codes = [finish(first), finish(late), finish(forged), finish(""), finish(elsewhere, {}, "google-drive")].map(codeOf);
	expect(await Promise.all(codes)).toEqual(Array(5).fill("SIGN_IN_UNKNOWN"));
	// Two browsers at the same time.
	expect((await Promise.all([codeOf(finish(elsewhere)), codeOf(finish(elsewhere))])).toSorted()).toEqual(["SIGN_IN_UNKNOWN", "none"]);
	expect((await list()).map(({ containerTags }) => containerTags[0]).toSorted()).toEqual(["a", "elsewhere"]);
});

test("who refuses makes no connection, and the link is used up", async () => {
	const { begin, stateOf, finish, list } = bench();
	const state = stateOf(await begin());
	expect((await finish(state, { error: "access_denied" })).result).toMatchObject({ code: "SIGN_IN_REFUSED" });
	expect([await codeOf(finish(state)), await list()]).toEqual(["SIGN_IN_UNKNOWN", []]);
});

test("the same account mends its connection, another account makes one of its own", async () => {
	const { begin, stateOf, finish, list, service, recordsOf, world } = bench();
	const first = connectionOf(await finish(stateOf(await begin({ team: "sales" }))));
	const store = connectionStore(recordsOf(), world);
	await store.amend(first.id, (known) => ({ ...known, nextSyncAt: null, chosen: [{ id: "folder" }] }));
	const again = await begin({ team: "sales" });
	expect([again.id, new URL(again.link).searchParams.get("hint")]).toEqual([first.id, "ada@example.com"]);
	world.advance(1);
	const mended = connectionOf(await finish(stateOf(again)));
	expect(mended).toMatchObject({ id: first.id, createdAt: first.createdAt, chosen: [{ id: "folder" }], nextSyncAt: world.now().toISOString() });
	service.account = "ben";
	const second = connectionOf(await finish(stateOf(await begin({ team: "sales" }))));
	expect((await list()).map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
});

test.each([
	["40 minutes", 40 * 60_000, "works"],
	["a minute, and no longer works", 60_000, "is over"],
] as const)("a sign-in mends also what was signed in to by a clock that was ahead by %s", async (_ahead, aheadMs, state) => {
	const { begin, stateOf, finish, service, recordsOf, world, parts } = bench();
	const { id } = connectionOf(await finish(stateOf(await begin())));
	const ahead = new Date(world.now().getTime() + aheadMs).toISOString();
	await connectionStore(recordsOf(), world).amend(id, (known) => ({
		...known,
		...(state === "is over" && { nextSyncAt: null }),
		...(known.signedIn !== undefined && { signedIn: { ...known.signedIn, at: ahead } }),
	}));
	service.valid = "refresh-of-the-second";
	world.setClock(-1_000);
	expect(openCredentials(connectionOf(await finish(stateOf(await begin()))), parts.vault).refreshToken).toBe("refresh-of-the-second");
	service.valid = "refresh-of-the-third";
	world.advance(1);
	world.setClock(-1_000);
	expect(openCredentials(connectionOf(await finish(stateOf(await begin()))), parts.vault).refreshToken).toBe("refresh-of-the-third");
});

test("of several connections of one account the link names the one that is mended: the newest", async () => {
	const { begin, stateOf, finish, recordsOf, world, parts, service } = bench();
	const made = connectionOf(await finish(stateOf(await begin())));
	const store = connectionStore(recordsOf(), world);
	await store.remove(made.id);
	// By its id the older one comes first.
	const [older, newer] = [`1${made.id.slice(1)}`, `2${made.id.slice(1)}`] as const;
	for (const [id, createdAt] of [
		[older, "2025-01-01T00:00:00.000Z"],
		[newer, "2025-02-01T00:00:00.000Z"],
	] as const)
		await store.add({ ...made, id, createdAt });
	service.valid = "refresh-of-the-second";
	world.advance(1);
	const again = await begin();
	const mended = connectionOf(await finish(stateOf(again)));
	expect([again.id, mended.id, openCredentials(mended, parts.vault).refreshToken]).toEqual([newer, newer, "refresh-of-the-second"]);
});

test("a connection whose containers were merged, and that was then deleted, gives its id to no other", async () => {
	const { begin, stateOf, finish, parts, recordsOf } = bench();
	const { id } = connectionOf(await finish(stateOf(await begin())));
	await retagConnections(["a"], "b", { ...parts, records: recordsOf() });
	const merged = await connectionStore(recordsOf(), parts.world).get(id);
	expect(merged?.containerTags).toEqual(["b"]);
	await deleteConnection(merged as Connection, parts.storage.organisation(organisation), parts);
	const again = await begin();
	expect(connectionOf(await finish(stateOf(again))).id).toBe(again.id);
});

test("the claim of a request that was killed lasts two minutes", async () => {
	const { parts, recordsOf, world } = bench();
	const claim = (id: string) => claimSource({ provider: "shelf", containerTags: ["a"], source: "[]" }, id, { ...parts, records: recordsOf() });
	expect([await claim("killed"), await claim("second")]).toEqual(["killed", "killed"]);
	world.advance(120_000);
	expect(await claim("third")).toBe("third");
});

test("unfinished sign-ins are limited, and expire", async () => {
	const { begin, world } = bench();
	for (let i = 0; i < limits.signInsMax; i++) await begin();
	expect(await codeOf(begin())).toBe("SIGN_INS_TOO_MANY");
	expect(await codeOf(begin({}, other))).toBe("none");
	world.advance(limits.signInMs);
	expect(await codeOf(begin())).toBe("none");
});

/** Several threads or servers on one storage, with a clock that runs. */
async function signedIn() {
	const set = bench({ ...createTestWorld(), ...createFastWorld(20), lines: [] });
	const connection = connectionOf(await set.finish(set.stateOf(await set.begin())));
	const { vault } = set.parts;
	const tokens = (world: World = set.world) =>
		accessTokenOf(connection, set.connector, { records: set.recordsOf(), vault, world }).accessToken ?? (async () => "");
	return { ...set, connection, tokens, store: connectionStore(set.recordsOf(), set.world) };
}

test("a token is refreshed once for all who want it, and what is new is stored before it is used", async () => {
	const { tokens, service, world } = await signedIn();
	expect([await tokens()(), service.refreshes]).toEqual(["access-0", 0]);
	const many = Array.from({ length: 12 }, () => tokens()("access-0"));
	expect([new Set(await Promise.all(many)), service.refreshes]).toEqual([new Set(["access-1"]), 1]);
	// Each of many refreshes uses the refresh token that the one before has got.
	for (let i = 1; i <= 5; i++) expect(await tokens()(`access-${i}`)).toBe(`access-${i + 1}`);
	// It expires soon.
	const later = new Date(world.now().getTime() + 3_590_000);
	expect(await tokens({ ...world, now: () => later })()).toBe("access-7");
});

/** Writes of connections fail as long as `isFull` says so. */
function troubled(records: RecordStore, isFull: () => boolean): RecordStore {
	return { ...records, put: async (...args) => (args[0] === "connection" && isFull() ? Promise.reject(fail("STORAGE_FULL")) : records.put(...args)) };
}

test("a store that takes no writes is found out before the service replaces anything", async () => {
	const { connector, recordsOf, parts, connection, service, tokens } = await signedIn();
	const { accessToken = async () => "" } = accessTokenOf(connection, connector, { ...parts, records: troubled(recordsOf(), () => true) });
	expect([await codeOf(accessToken("access-0")), service.refreshes]).toEqual(["STORAGE_FULL", 0]);
	expect(await tokens()("access-0")).toBe("access-1");
});

test("new credentials are stored patiently; those that cannot be stored give no token to anybody", async () => {
	const { connector, recordsOf, parts, connection, service, tokens, world } = await signedIn();
	let failures = 2;
	const shortly = troubled(recordsOf(), () => service.refreshes > 0 && failures-- > 0);
	expect(await accessTokenOf(connection, connector, { ...parts, world, records: shortly }).accessToken?.("access-0")).toBe("access-1");
	const forLong = troubled(recordsOf(), () => service.refreshes > 1);
	const { accessToken = async () => "" } = accessTokenOf(connection, connector, { ...parts, world, records: forLong });
	expect([await codeOf(accessToken("access-1")), service.refreshes]).toEqual(["STORAGE_FULL", 2]);
	// As after a kill at this place: the stored token is tried again. This service takes each once, so that somebody has to sign in again.
	expect(await codeOf(tokens()("access-1"))).toBe("CONNECTION_UNAUTHORIZED");
});

test("after a kill between a refresh and its store the old token is tried again, which goes on where the service allows it", async () => {
	const { connector, recordsOf, parts, connection, service, tokens, world } = await signedIn();
	service.takesReplaced = true;
	const dying = troubled(recordsOf(), () => service.refreshes > 0);
	expect(await codeOf(accessTokenOf(connection, connector, { ...parts, world, records: dying }).accessToken?.("access-0") ?? Promise.resolve())).toBe(
		"STORAGE_FULL",
	);
	expect([await tokens()("access-0"), await tokens()("access-2")]).toEqual(["access-2", "access-3"]);
});

test("a sign-in that happens during a refresh is not overwritten by it", async () => {
	const { tokens, begin, stateOf, finish, service, store, connection } = await signedIn();
	const refreshing = tokens()("access-0");
	while (service.refreshes === 0) await Bun.sleep(1);
	service.refreshes = 70;
	service.valid = "refresh-70";
	await finish(stateOf(await begin()));
	const sealed = (await store.get(connection.id))?.signedIn?.credentials;
	expect([await refreshing, (await store.get(connection.id))?.signedIn?.credentials === sealed]).toEqual(["access-70", true]);
});

test("a sign-in that has ended is told to everybody, and ends no lock in the way of the next", async () => {
	const { tokens, service, begin, stateOf, finish } = await signedIn();
	service.isOver = true;
	expect(await Promise.all([codeOf(tokens()("access-0")), codeOf(tokens()("access-0"))])).toEqual(["CONNECTION_UNAUTHORIZED", "CONNECTION_UNAUTHORIZED"]);
	service.isOver = false;
	await finish(stateOf(await begin()));
	expect(await tokens()()).toBe(`access-${service.refreshes}`);
});

test("a deleted connection revokes its sign-in, unless the account is signed in elsewhere too", async () => {
	const { begin, stateOf, finish, parts, service, recordsOf, world } = bench();
	const mine = connectionOf(await finish(stateOf(await begin())));
	const theirs = connectionOf(await finish(stateOf(await begin({}, other))));
	for (const id of [organisation, other]) await parts.storage.accounts.addOrganisation({ id, name: id, slug: id, createdAt: world.now() });
	await endSignIn(mine, parts);
	expect(service.revoked).toEqual([]);
	await connectionStore(recordsOf(other), world).remove(theirs.id);
	await endSignIn(mine, parts);
	expect(service.revoked).toEqual(["refresh-0"]);
});

test("what a refused sign-in was given stays while another is under way: it may be of the same account", async () => {
	const { begin, stateOf, finish, parts, service, recordsOf, world } = bench();
	for (const id of [organisation, other]) await parts.storage.accounts.addOrganisation({ id, name: id, slug: id, createdAt: world.now() });
	const link = stateOf(await begin({}, other));
	const refused = async () => codeOf(Promise.reject((await finish(stateOf(await begin()), { less: "yes" })).result));
	expect([await refused(), service.revoked]).toEqual(["SIGN_IN_REFUSED", []]);
	const { promise, resolve } = Promise.withResolvers<void>();
	service.held = promise;
	const finishing = finish(link);
	expect([await refused(), service.revoked]).toEqual(["SIGN_IN_REFUSED", []]);
	resolve();
	const { id } = connectionOf(await finishing);
	expect([await refused(), service.revoked]).toEqual(["SIGN_IN_REFUSED", []]);
	await connectionStore(recordsOf(other), world).remove(id);
	expect([await refused(), service.revoked]).toEqual(["SIGN_IN_REFUSED", ["refresh-0"]]);
});

test("who is refused waits five seconds at most for what else is signed in", async () => {
	const { begin, stateOf, parts, service, world } = bench();
	const { accounts } = parts.storage;
	const asked = Promise.withResolvers<void>();
	const organisations = () => {
		asked.resolve();
		return new Promise<never>(() => {});
	};
	const slow = createConnectionService({ ...parts, storage: { ...parts.storage, accounts: { ...accounts, organisations } } }, createNotifier());
	const finished = slow.finishSignIn("shelf", new URLSearchParams({ state: stateOf(await begin()), less: "yes" }), signal);
	await asked.promise;
	world.advance(5_000);
	expect([(await finished).result, service.revoked]).toEqual([expect.objectContaining({ code: "SIGN_IN_REFUSED" }), []]);
});

test("who signs in again after a deletion gets the connection that the link names", async () => {
	const { begin, stateOf, finish, parts, list } = bench();
	const deleted = connectionOf(await finish(stateOf(await begin())));
	await deleteConnection(deleted, parts.storage.organisation(organisation), parts);
	const again = await begin();
	expect([connectionOf(await finish(stateOf(again))).id, (await list()).length, again.id === deleted.id]).toEqual([again.id, 1, false]);
});

test("what another connector gave the same account at the same authority counts as elsewhere", async () => {
	const { begin, stateOf, finish, parts, connector, service, recordsOf, world } = bench();
	const mine = connectionOf(await finish(stateOf(await begin())));
	await parts.storage.accounts.addOrganisation({ id: organisation, name: "o", slug: "o", createdAt: world.now() });
	const theirs: Connection = { ...mine, id: "other", provider: "mail", signedIn: { account: { id: "7", address: "Ada@example.com" }, credentials: "" } };
	await connectionStore(recordsOf(), world).add(theirs);
	const withAuthority = (authority: string) => ({ ...(connector.signIn as SignIn), authority });
	const connectors = (authority: string) => [
		{ ...connector, signIn: withAuthority("https://service.example") },
		{ ...connector, name: "mail", signIn: withAuthority(authority) },
	];
	await endSignIn(mine, { ...parts, connectors: connectors("https://service.example") });
	expect(service.revoked).toEqual([]);
	await endSignIn(mine, { ...parts, connectors: connectors("https://another.example") });
	expect(service.revoked).toEqual(["refresh-0"]);
});
