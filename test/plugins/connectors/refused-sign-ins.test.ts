/** Sign-ins that are refused after the service has given tokens: these are revoked there, unless the account may be in use. */

import { afterEach, describe, expect, test } from "bun:test";
import { asId, type Connector, limits, type OrganisationId, type Plugin, ServiceError } from "cairn-memory";
import type { Connection } from "../../../core/connections/connection.ts";
import { createConnectionService } from "../../../core/connections/connection-service.ts";
import { connectionStore } from "../../../core/connections/connection-store.ts";
import type { FinishedSignIn, SignInLink } from "../../../core/connections/sign-in.ts";
import { signInHandler } from "../../../core/jobs/sign-in-handler.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import dropbox from "../../../plugins/connectors/dropbox/index.ts";
import github from "../../../plugins/connectors/github/index.ts";
import gmail from "../../../plugins/connectors/gmail/index.ts";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import notion from "../../../plugins/connectors/notion/index.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { startDropboxPeer } from "../../doubles/dropbox-peer.ts";
import { startGithubPeer } from "../../doubles/github-peer.ts";
import { startGmailPeer } from "../../doubles/gmail-peer.ts";
import { startGooglePeer } from "../../doubles/google-peer.ts";
import type { LocalPeer } from "../../doubles/local-peer.ts";
import { startNotionPeer } from "../../doubles/notion-peer.ts";
import type { OAuthPeer } from "../../doubles/oauth-peer.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = { organisation, role: "admin", grants: null, id: "key" } as const;
const { signal } = new AbortController();

type Peer = Pick<LocalPeer, "host" | "trouble" | "close"> & { readonly oauth: OAuthPeer };
type Side = readonly [peer: Peer, plugin: Plugin];

const closing: (() => void)[] = [];
afterEach(() => {
	for (const close of closing.splice(0)) close();
});

const sides = {
	"google-drive": async (): Promise<Side> => {
		const peer = await startGooglePeer();
		return [peer, googleDrive({ clientId: peer.oauth.clientId, clientSecret: peer.oauth.clientSecret, endpoint: peer.endpoint })];
	},
	gmail: async (): Promise<Side> => {
		const peer = await startGmailPeer({});
		return [peer, gmail({ clientId: peer.oauth.clientId, clientSecret: peer.oauth.clientSecret, endpoint: peer.origin })];
	},
	dropbox: async (): Promise<Side> => {
		const peer = await startDropboxPeer({});
		return [peer, dropbox({ clientId: peer.oauth.clientId, endpoint: peer.origin })];
	},
	github: async (): Promise<Side> => {
		const peer = await startGithubPeer({});
		return [peer, github({ clientId: peer.oauth.clientId, clientSecret: peer.oauth.clientSecret, endpoint: peer.endpoint })];
	},
	notion: async (): Promise<Side> => {
		const peer = await startNotionPeer({});
		return [peer, notion({ clientId: peer.oauth.clientId, clientSecret: peer.oauth.clientSecret, endpoint: peer.origin })];
	},
};

/** A server with the connector to this service. */
async function bench(name: keyof typeof sides) {
	const [peer, plugin] = await sides[name]();
	closing.push(peer.close);
	const connector: Connector = await startConnector(plugin, createConnectorHost([peer.host]));
	const world = createTestWorld();
	const parts = createTestParts(world, { connectors: [connector] });
	await parts.storage.accounts.addOrganisation({ id: organisation, name: "o", slug: "o", createdAt: world.now() });
	const connections = createConnectionService(parts, createNotifier());
	const begin = async (containerTag: string, isAtDevice = false) => {
		const wanted = { provider: name, containerTags: [containerTag], documentLimit: 10, metadata: {} };
		const route = () => ({ redirectUri: "http://127.0.0.1:6767/callback", redirectsTo: null });
		return (await connections.create(caller, wanted, route, signal, isAtDevice)) as SignInLink;
	};
	/** What the browser does with the link. */
	const finish = async ({ link }: SignInLink) => {
		const response = await fetch(link, { redirect: "manual" });
		return connections.finishSignIn(name, new URL(response.headers.get("location") ?? "").searchParams, signal);
	};
	const store = connectionStore(parts.storage.organisation(organisation).records, world);
	return { peer, parts, world, connections, begin, finish, store };
}

function codeOf({ result }: FinishedSignIn): string {
	return result instanceof ServiceError ? result.code : "made";
}

const told = ({ lines }: ReturnType<typeof createTestWorld>, { oauth }: Peer) => [...oauth.secrets].filter((secret) => JSON.stringify(lines).includes(secret));

describe.each(["google-drive", "gmail", "dropbox"] as const)("%s", (name) => {
	test("who allows less than is needed leaves no token behind, but another sign-in that is in use", async () => {
		const { peer, begin, finish, store, world } = await bench(name);
		const made = await finish(await begin("a"));
		peer.oauth.person = "allows nothing";
		// It is not known whose the token is, so that it may be that of the connection.
		expect([codeOf(made), codeOf(await finish(await begin("b"))), peer.oauth.liveGrants()]).toEqual(["made", "SIGN_IN_REFUSED", 2]);
		peer.oauth.revokeAll();
		for (const { id } of await store.list()) await store.remove(id);
		expect([codeOf(await finish(await begin("b"))), peer.oauth.liveGrants(), told(world, peer)]).toEqual(["SIGN_IN_REFUSED", 0, []]);
	});
});

describe.each(["github", "notion", "google-drive"] as const)("%s", (name) => {
	test("where there is room for no more connections, what was given is revoked", async () => {
		const { peer, begin, finish, store, world } = await bench(name);
		const link = await begin("a");
		const other: Connection = {
			...{ id: "", provider: "web-crawler", containerTags: ["a"], documentLimit: 1, metadata: {}, sealed: "", chosen: null, source: "" },
			...{ by: "key", createdAt: world.now().toISOString(), nextSyncAt: null, runs: [], deletion: null },
		};
		for (let i = 0; i < limits.connectionsMax; i++) await store.add({ ...other, id: `other-${i}` });
		expect([codeOf(await finish(link)), peer.oauth.liveGrants(), told(world, peer)]).toEqual(["CONNECTIONS_TOO_MANY", 0, []]);
	});

	test("an account that cannot be read is refused, and its token revoked; a service that revokes nothing changes no answer", async () => {
		const { peer, begin, finish, world } = await bench(name);
		const isOfAccount = (path: string) => /\/user\b|users\/me|\/about/.test(path);
		peer.trouble = ({ path }) => (isOfAccount(path) ? { status: 403, body: "{}" } : null);
		expect([codeOf(await finish(await begin("a"))), peer.oauth.liveGrants()]).toEqual([expect.not.stringMatching("made"), 0]);
		peer.trouble = ({ path }) => (isOfAccount(path) || /revoke|applications/.test(path) ? { status: 403, body: "{}" } : null);
		expect([codeOf(await finish(await begin("b"))), peer.oauth.liveGrants()]).toEqual([expect.not.stringMatching("made"), 1]);
		expect([world.lines.filter(({ message }) => message.includes("revoked")).length, told(world, peer)]).toEqual([1, []]);
	});
});

test("what a code gave is revoked where its account is refused", async () => {
	const { peer, begin, finish, parts, world, connections } = await bench("github");
	const { id, userCode } = await begin("a", true);
	peer.oauth.enter(userCode ?? "");
	peer.trouble = ({ path }) => (/\/user\b/.test(path) ? { status: 403, body: "{}" } : null);
	world.advance(5_000);
	const [job] = await parts.storage.jobs.claim("w", ["sign-in"], 1, world.steadyNow(), 60_000);
	if (job === undefined) throw new Error("there is no job");
	await signInHandler(parts)(job).run(signal);
	await expect(connections.get(caller, id)).rejects.toMatchObject({ code: "SIGN_IN_REFUSED" });
	expect([peer.oauth.liveGrants(), told(world, peer)]).toEqual([0, []]);
	// A code that was refused is under way no more.
	await finish(await begin("b"));
	expect(peer.oauth.liveGrants()).toBe(0);
});

test("GitHub ends the token that was refused, and nothing else that the person has allowed", async () => {
	const { peer, begin, finish, store } = await bench("github");
	await finish(await begin("a"));
	for (const { id } of await store.list()) await store.remove(id);
	peer.trouble = ({ path }) => (/\/user\b/.test(path) ? { status: 403, body: "{}" } : null);
	expect([codeOf(await finish(await begin("b"))), peer.oauth.liveGrants()]).toEqual(["CONNECTION_FORBIDDEN", 1]);
});
