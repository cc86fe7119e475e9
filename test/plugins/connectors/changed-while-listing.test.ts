/** What changes between two attempts at a listing, whose second one has pages of the first: nothing that is there is lost, and in the end all is as there. */

import { expect, setSystemTime, test } from "bun:test";
import { type Cursor, type Json, limits, type Plugin, ServiceError, type Step } from "cairn-memory";
import github from "../../../plugins/connectors/github/index.ts";
import gmail from "../../../plugins/connectors/gmail/index.ts";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import imap from "../../../plugins/connectors/imap/index.ts";
import { apply, type Documents, demandSame, kept } from "../../contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { peerIssue, peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { startGmailPeer } from "../../doubles/gmail-peer.ts";
import { folderType, startGooglePeer } from "../../doubles/google-peer.ts";
import { peerMail, startImapPeer } from "../../doubles/imap-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";

interface Side {
	readonly plugin: Plugin;
	readonly peer: { readonly host: string; readonly close: () => void };
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly signsIn?: boolean;
	/** A page of the listing that is not the first. */
	readonly laterPage: RegExp;
	/** Makes the next sync list anew. */
	readonly begin: () => void;
	/** When the first page is kept, and the later one was refused. */
	readonly change: () => void;
	/** The same, and one that nobody knows of is on none of the pages any more. */
	readonly shift: () => void;
	readonly there: () => ReadonlyMap<string, string>;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

async function drive(metadata: Side["metadata"], parents: string[]): Promise<Side> {
	const folder = { "folder-of-tides": { mimeType: folderType } };
	const files = Object.fromEntries(numbers(9).map((i) => [`file-${i}`, { name: `${i}.txt`, content: `words of ${i}`, parents }]));
	const peer = Object.assign(await startGooglePeer({ ...folder, ...files }), { pageMax: 3 });
	const { clientId, clientSecret } = peer.oauth;
	const putFirst = (id: string, content: string) => {
		peer.put(id, { name: id, content, parents });
		const all = [...peer.files].sort(([a], [b]) => Number(b === id) - Number(a === id));
		peer.files.clear();
		for (const [each, file] of all) peer.files.set(each, file);
	};
	return {
		...{ plugin: googleDrive({ clientId, clientSecret, endpoint: peer.endpoint }), peer, metadata, signsIn: true },
		laterPage: /\/files\?.*pageToken=3/,
		begin: () => {
			peer.remove("file-8");
			peer.forgetTokens();
		},
		change: () => {
			peer.put("file-0", { content: "other words" });
			for (const id of ["file-1", "file-2"]) peer.remove(id);
			putFirst("file-new", "new words");
			putFirst("file-7", "words of 7, told first");
		},
		shift: () => peer.remove("file-0"),
		there: () => new Map([...peer.files].flatMap(([id, { content, mimeType }]) => (mimeType === folderType ? [] : [[id, String(content)] as const]))),
	};
}

const sides: Readonly<Record<string, () => Promise<Side>>> = {
	"google drive": () => drive({ syncScope: "full" }, ["root"]),
	"google drive, a folder": () => drive({ folders: "folder-of-tides" }, ["folder-of-tides"]),
	gmail: async () => {
		const at = (i: number) => Date.parse("2026-03-01T10:00:00Z") - i * 60_000;
		const peer = Object.assign(await startGmailPeer(Object.fromEntries(numbers(9).map((i) => [`${i}`, { sentAt: at(i) }]))), { pageMax: 3 });
		const { clientId, clientSecret } = peer.oauth;
		return {
			...{ plugin: gmail({ clientId, clientSecret, endpoint: peer.origin }), peer, metadata: {}, signsIn: true },
			laterPage: /\/threads\?.*pageToken=3/,
			begin: () => {
				peer.remove("8");
				peer.forgetHistory();
			},
			change: () => {
				peer.remove("0");
				peer.add("answer", { threadId: "thread-5", body: "words of 5, and an answer", sentAt: at(-1) });
				peer.add("new", { sentAt: at(-2) });
			},
			shift: () => peer.remove("0"),
			there: () => new Map([...peer.mails.values()].map(({ threadId, body }) => [threadId, body])),
		};
	},
	"github, issues": async () => {
		const repository = peerRepository(
			{},
			numbers(230).map((i) => peerIssue(i + 1)),
		);
		const peer = await startGithubPeer({ "harbour/tides": repository });
		return {
			...{ plugin: github(), peer, metadata: { token: peer.token, endpoint: peer.endpoint, repositories: "harbour/tides", issues: true } },
			laterPage: /\/issues\?.*[?&]page=2/,
			begin: () => void repository.issues.pop(),
			// One that was transferred is on no page, and the first of the second page moves to the first.
			change: () => {
				repository.issues.shift();
				repository.issues.push(peerIssue(300));
			},
			shift: () => void repository.issues.shift(),
			there: () => new Map(repository.issues.map(({ number, body }) => [`harbour/tides#${number}`, body ?? ""])),
		};
	},
};

/** Syncs of a connector, and what came of them. */
async function watched({ plugin, peer, metadata, signsIn = false, laterPage }: Side) {
	const host = createConnectorHost([peer.host]);
	const fetch: typeof host.fetch = async (address, options) => {
		if (!laterPage.test(address) || state.refusals-- <= 0) return host.fetch(address, options);
		throw new ServiceError("ADDRESS_FAILED", [address, "status 429"]).notBefore(600_000);
	};
	const connector = await startConnector(plugin, { ...host, fetch });
	const accessToken: Step["accessToken"] = signsIn ? await signIn(connector) : undefined;
	const state = { refusals: 0, documents: new Map() as Documents, removed: [] as string[], cursor: null as Cursor | null, sync };
	async function sync() {
		const config = connector.configure(metadata, limits.connectionDocumentsMax);
		for await (const one of connector.sync(config, state.cursor, { ...createStep(), ...(accessToken !== undefined && { accessToken }) })) {
			apply(one, state.documents);
			if (one.kind === "remove") state.removed.push(one.key);
			state.cursor = kept(one.cursor());
		}
	}
	return state;
}

for (const [name, open] of Object.entries(sides)) {
	test(`${name}: a listing that goes on from kept pages removes nothing that is there, and the next sync has everything as it is`, async () => {
		const side = await open();
		const { peer, begin, change, there } = side;
		const state = await watched(side);
		await state.sync();
		demandSame(state.documents, there(), "first");
		begin();
		state.refusals = 1;
		await expect(state.sync()).rejects.toMatchObject({ code: "ADDRESS_FAILED" });
		expect(state.cursor).toHaveProperty("listing");
		change();
		await state.sync();
		expect(state.removed.filter((key) => there().has(key))).toEqual([]);
		expect(state.cursor).not.toHaveProperty("listing");
		await state.sync();
		peer.close();
		expect(state.removed.filter((key) => there().has(key))).toEqual([]);
		demandSame(state.documents, there(), "in the end");
	});

	test(`${name}: what no page of a first listing names, because it moved between two attempts, comes with the next sync`, async () => {
		const side = await open();
		const state = await watched(side);
		state.refusals = 1;
		await expect(state.sync()).rejects.toMatchObject({ code: "ADDRESS_FAILED" });
		side.shift();
		await state.sync();
		await state.sync();
		side.peer.close();
		demandSame(state.documents, side.there(), "in the end");
	});
}

/** Syncs of a mail account, with documents put and removed in each. */
async function watchedMail(peer: Awaited<ReturnType<typeof startImapPeer>>) {
	const { host, port, username, password } = peer;
	const connector = await startConnector(imap(), createConnectorHost([`${host}:${port}`]));
	const state = { cursor: null as Cursor | null, sync };
	async function sync(mailboxes = "") {
		const kinds = { put: 0, remove: 0, checkpoint: 0 };
		const config = connector.configure({ host, port, username, password, tls: false, ...(mailboxes !== "" && { mailboxes }) }, 1_000);
		for await (const one of connector.sync(config, state.cursor, createStep())) {
			kinds[one.kind]++;
			state.cursor = kept(one.cursor());
		}
		return [kinds.put, kinds.remove];
	}
	return state;
}

/** Refuses to describe any mail after the first that were looked at together. */
const refusedInTheMiddle = () => {
	let fetches = 0;
	return (command: string) => (/^UID FETCH (?!.*BODY)/.test(command) && ++fetches > 1 ? "[NOPERM] not for you" : null);
};

test("imap: a mailbox with new UIDs that is refused after some of its mails loses none of the others", async () => {
	const peer = await startImapPeer({ INBOX: numbers(250).map((i) => peerMail(`${i}`)) });
	const state = await watchedMail(peer);
	expect(await state.sync()).toEqual([250, 0]);
	peer.renumber("INBOX");
	peer.trouble = refusedInTheMiddle();
	expect(await state.sync()).toEqual([0, 0]);
	const former = () => ((state.cursor?.["mailboxes"] ?? {}) as Readonly<Record<string, { readonly former: readonly string[] }>>)["INBOX"]?.former.length;
	expect(former()).toBe(50);
	peer.trouble = null;
	expect(await state.sync()).toEqual([0, 0]);
	expect(former()).toBe(0);
	peer.close();
});

test("imap: a cursor of a version that did not keep what a mailbox had loses nothing while that mailbox is refused", async () => {
	const peer = await startImapPeer({ INBOX: numbers(250).map((i) => peerMail(`${i}`)) });
	const state = await watchedMail(peer);
	expect(await state.sync()).toEqual([250, 0]);
	peer.renumber("INBOX");
	peer.trouble = refusedInTheMiddle();
	expect(await state.sync()).toEqual([0, 0]);
	const { INBOX } = (state.cursor?.["mailboxes"] ?? {}) as Readonly<Record<string, Readonly<Record<string, Json>>>>;
	const { former: _former, ...older } = INBOX ?? {};
	expect(older["isPartial"]).toBe(true);
	state.cursor = { ...state.cursor, mailboxes: { INBOX: older } };
	peer.trouble = (command) => (/UID SEARCH/.test(command) ? "[NOPERM] not for you" : null);
	expect(await state.sync()).toEqual([0, 0]);
	peer.trouble = refusedInTheMiddle();
	expect(await state.sync()).toEqual([0, 0]);
	peer.trouble = null;
	peer.remove("INBOX", 1);
	expect(await state.sync()).toEqual([0, 1]);
	peer.close();
});

test("imap: a mail that moves into a mailbox which is refused for a moment stays", async () => {
	const peer = await startImapPeer({ Archive: [peerMail("old")], INBOX: numbers(3).map((i) => peerMail(`${i}`)) });
	const state = await watchedMail(peer);
	expect(await state.sync()).toEqual([4, 0]);
	peer.move("INBOX", 2, "Archive");
	peer.remove("INBOX", 1);
	let mailbox = "";
	peer.trouble = (command) => {
		mailbox = /^EXAMINE "?(\w+)/.exec(command)?.[1] ?? mailbox;
		return mailbox === "Archive" && /UID SEARCH/.test(command) ? "[UNAVAILABLE] later" : null;
	};
	expect(await state.sync()).toEqual([0, 0]);
	peer.trouble = null;
	// It is read again, since it lies elsewhere; the other one is gone.
	expect(await state.sync()).toEqual([1, 1]);
	peer.close();
});

test("imap: a mailbox that is refused for ever after some of its mails keeps none of what is gone elsewhere", async () => {
	const peer = await startImapPeer({ Archive: numbers(3).map((i) => peerMail(`old ${i}`)), INBOX: numbers(250).map((i) => peerMail(`${i}`)) });
	const state = await watchedMail(peer);
	expect(await state.sync()).toEqual([253, 0]);
	peer.renumber("INBOX");
	const refused = refusedInTheMiddle();
	peer.trouble = (command) => refused(command);
	expect(await state.sync()).toEqual([0, 0]);
	peer.remove("Archive", 1);
	expect(await state.sync()).toEqual([0, 0]);
	setSystemTime(Date.now() + 3_600_000);
	expect(await state.sync()).toEqual([0, 1]);
	setSystemTime();
	peer.close();
});

test("imap: the cursor of a listing that was cut off has no mailbox that is not read any more", async () => {
	const peer = await startImapPeer({ Archive: numbers(3).map((i) => peerMail(`old ${i}`)), INBOX: numbers(450).map((i) => peerMail(`${i}`)) });
	const state = await watchedMail(peer);
	expect(await state.sync("Archive")).toEqual([3, 0]);
	let fetches = 0;
	peer.trouble = (command) => (/UID FETCH \S*[:,]/.test(command) && ++fetches > 1 ? "[UNAVAILABLE] later" : null);
	await expect(state.sync("INBOX")).rejects.toThrow();
	expect(Object.keys((state.cursor?.["mailboxes"] ?? {}) as object)).toEqual(["INBOX"]);
	peer.close();
});
