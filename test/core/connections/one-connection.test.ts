/** Sign-ins of one account that end at the same time, in programs of their own on one storage: one connection stays, with what was given last. */

import { afterAll, describe, expect, test } from "bun:test";
import { asId, type Connector, type OrganisationId, ServiceError, searchable } from "cairn-memory";
import type { RecordKind, RecordStore, Storage } from "cairn-memory/stores";
import { openCredentials } from "../../../core/connections/connection.ts";
import { createConnectionService } from "../../../core/connections/connection-service.ts";
import type { FinishedSignIn, SignInLink } from "../../../core/connections/sign-in.ts";
import { signInHandler } from "../../../core/jobs/sign-in-handler.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { postgresStorage } from "../../../plugins/stores/postgres/storage.ts";
import { ramBlobs } from "../../../plugins/stores/ram/blobs.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { type Databases, databasesHere, databasesOn } from "../../doubles/two-nodes.ts";
import { createTestWorld } from "../../doubles/world.ts";
import { openSqlite } from "../../plugins/stores/sqlite/open-sqlite.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = { organisation, role: "admin", grants: null, id: "key" } as const;
const { signal } = new AbortController();

interface Opened {
	/** Of two programs; one storage is both where only one program may write. */
	readonly storages: readonly [Storage, Storage];
	readonly dispose: () => Promise<void>;
}

async function sqlite(): Promise<Opened> {
	const { storage, dispose } = await openSqlite();
	await storage.migrate();
	return { storages: [storage, storage], dispose };
}

async function postgres(databases: Databases): Promise<Opened> {
	const world = { ...createTestWorld(), now: () => new Date() };
	const { connect, drop } = await databases.create();
	const open = () => searchable(postgresStorage({ connection: connect(), now: world.now, hasVectors: false }), ramBlobs(world), world);
	const storages = [open(), open()] as const;
	await storages[0].migrate();
	const dispose = async () => {
		for (const storage of storages) await storage.close();
		await drop();
	};
	return { storages, dispose };
}

/** The storage, with records that wait before a call. */
function waiting(storage: Storage, before: (call: "list" | "put", kind: RecordKind) => Promise<void>): Storage {
	const slow = (records: RecordStore): RecordStore => ({
		...records,
		list: async (...args) => {
			const found = await records.list(...args);
			await before("list", args[0]);
			return found;
		},
		put: async (...args) => {
			await before("put", args[0]);
			return records.put(...args);
		},
	});
	return {
		...storage,
		organisation: (of, job) => {
			const tenant = storage.organisation(of, job);
			return { ...tenant, records: slow(tenant.records) };
		},
	};
}

/** Gives tokens with a number that ascends; in a browser, and with a code. */
function shelf() {
	const given = Promise.withResolvers<void>();
	let sequence = 0;
	const credentials = () => {
		sequence += 1;
		given.resolve();
		return { accessToken: `access-${sequence}`, expiresAt: null, refreshToken: null };
	};
	const account = { id: "ada", address: "ada@example.com" };
	const code = { deviceCode: "code", userCode: "WDJB-MJHT", link: "https://service.example/device", intervalMs: 5_000, lifeMs: 300_000 };
	const connector: Connector = {
		...{ name: "shelf", secrets: [], syncEveryMs: 3_600_000 },
		configure: (_metadata, documentsMax) => ({ documentsMax }),
		sync: async function* () {},
		signIn: {
			begin: async ({ state }) => `https://service.example/?${new URLSearchParams({ state })}`,
			finish: async (_attempt, _callback, _step, gave) => {
				const made = credentials();
				gave?.(made);
				return { credentials: made, account };
			},
			refresh: async (same) => same,
			revoke: async () => undefined,
			device: {
				begin: async () => code,
				poll: async (_code, _step, gave) => {
					const made = credentials();
					gave?.(made);
					return made;
				},
				account: async () => account,
			},
		},
	};
	return { connector, given: given.promise };
}

/**
 * Both look for a connection before either writes. @param last whose writes come after the other has ended. @param atDevice whether the first
 * to be given a token signs in with a code
 */
async function race({ storages }: Opened, last: 0 | 1, atDevice: boolean) {
	const world = createTestWorld();
	const { connector, given } = shelf();
	const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
	const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
	const isRacing = { now: false };
	const programs = ([0, 1] as const).map((mine) => {
		const storage = waiting(storages[mine], async (call, kind) => {
			if (!isRacing.now) return;
			if (call === "list" && kind === "connection") {
				looked[mine].resolve();
				await looked[(1 - mine) as 0 | 1].promise;
			}
			const isOfConnection = kind === "connection" || kind === "connection-claim";
			if (call === "put" && isOfConnection && mine === last) await ended[(1 - mine) as 0 | 1].promise;
		});
		const parts = createTestParts(world, { connectors: [connector], storage });
		return { parts, service: createConnectionService(parts, createNotifier()) };
	});
	const [first, second] = programs as [(typeof programs)[0], (typeof programs)[0]];
	const wanted = { provider: "shelf", containerTags: ["a"], documentLimit: 10, metadata: {} };
	const begin = async (service: typeof first.service, isAtDevice: boolean) =>
		(await service.create(caller, wanted, () => ({ redirectUri: "https://cairn.example/", redirectsTo: null }), signal, isAtDevice)) as SignInLink;
	const callback = async (service: typeof first.service, { link }: SignInLink) => idOf(await service.finishSignIn("shelf", new URL(link).searchParams, signal));
	const begun = [await begin(first.service, atDevice), await begin(second.service, false)] as const;
	world.advance(5_000);
	const [job] = atDevice ? await storages[0].jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000) : [];
	isRacing.now = true;
	const poll = async () => {
		if (job === undefined) return callback(first.service, begun[0]);
		await signInHandler(first.parts)(job).run(signal);
		return null;
	};
	const older = poll().finally(ended[0].resolve);
	await given;
	world.advance(1_000);
	const newer = callback(second.service, begun[1]).finally(ended[1].resolve);
	const answers = await Promise.all([older, newer]);
	isRacing.now = false;
	const connections = await first.service.list(caller, { provider: null, containerTags: [] });
	const tokens = connections.map((connection) => openCredentials(connection, first.parts.vault).accessToken);
	const events = (await storages[0].organisation(organisation).events.after(0, null, 10)).map(({ type }) => type);
	return { ids: connections.map(({ id }) => id), tokens, answers, events };
}

function idOf({ result }: FinishedSignIn): string {
	if (result instanceof ServiceError) throw result;
	return result.connection.id;
}

/** The first test starts the database. */
const patienceMs = 60_000;
const url = process.env["CAIRN_TEST_POSTGRES_URL"];
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
	for (const close of closing) await close();
});
const onDatabases = (open: () => Promise<Databases>) => {
	let databases: Promise<Databases> | null = null;
	return async () => {
		databases ??= open();
		const opened = await databases;
		if (closing.length === 0 || !closing.includes(opened.close)) closing.push(opened.close);
		return postgres(opened);
	};
};

const grounds = [
	["SQLite", sqlite],
	["PostgreSQL in this process", onDatabases(databasesHere)],
	...(url === undefined ? [] : ([["PostgreSQL on a server", onDatabases(() => databasesOn(url))]] as const)),
] as const;

describe.each(grounds)("%s", (_name, open) => {
	const cases = [
		["two callbacks, the older written last", 0, false],
		["two callbacks, the newer written last", 1, false],
		["a code and a callback, the code written last", 0, true],
		["a code and a callback, the callback written last", 1, true],
	] as const;
	test.each(cases)(
		"%s",
		async (_case, last, atDevice) => {
			const opened = await open();
			try {
				const { ids, tokens, answers, events } = await race(opened, last, atDevice);
				expect([tokens, ids.length]).toEqual([["access-2"], 1]);
				// Nothing follows an older one that is written last.
				expect(events).toEqual(last === 0 ? ["connection.created"] : ["connection.created", "connection.changed"]);
				expect(answers).toEqual([atDevice ? null : (ids[0] as string), ids[0] as string]);
			} finally {
				await opened.dispose();
			}
		},
		patienceMs,
	);
});
