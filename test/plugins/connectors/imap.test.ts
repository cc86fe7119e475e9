import { afterEach, describe, expect, test } from "bun:test";
import { type Cursor, type Log, limits } from "cairn-memory";
import imap from "../../../plugins/connectors/imap/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { type ImapPeer, peerMail, startImapPeer } from "../../doubles/imap-peer.ts";
import { createStep } from "../../doubles/step.ts";
import { refusalOf, syncOnce } from "./sync-once.ts";

const peers: ImapPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(mails?: Readonly<Record<string, readonly string[]>>): Promise<ImapPeer> {
	const peer = await startImapPeer(mails);
	peers.push(peer);
	return peer;
}

const addressOf = ({ host, port }: ImapPeer) => `${host}:${port}`;
const metadataFor = ({ host, port, username, password }: ImapPeer, more: Readonly<Record<string, unknown>> = {}) => ({
	...{ host, port, username, password, tls: false },
	...more,
});
const connect = (peer: ImapPeer, log?: Log) => startConnector(imap(), createConnectorHost([addressOf(peer)], log));

async function sync(peer: ImapPeer, more: Readonly<Record<string, unknown>> = {}, cursor: Cursor | null = null, documentsMax = 1_000) {
	const synced = await syncOnce(await connect(peer), { metadata: metadataFor(peer, more), cursor, documentsMax });
	const subjects = synced.puts.map(({ title }) => title?.replace("Subject of ", "") ?? "").toSorted();
	return { ...synced, subjects };
}

const inbox = (...ids: readonly string[]) => ({ INBOX: ids.map((id) => peerMail(id)) });

async function scene() {
	const peer = await startImapPeer({ INBOX: ["tides", "boats"].map((id) => peerMail(id)), Archive: [peerMail("ropes")] });
	const good = metadataFor(peer);
	/** Keys of mails are made by the connector; the words of a mail name them. */
	const keys = new Map<string, string>();
	for (const { key, content } of (await syncOnce(await connect(peer), { metadata: good })).puts)
		if (content.kind === "file") keys.set(new TextDecoder().decode(content.bytes), key);
	const learn = async () => {
		for (const { key, content } of (await syncOnce(await connect(peer), { metadata: good })).puts)
			if (content.kind === "file") keys.set(new TextDecoder().decode(content.bytes), key);
	};
	return {
		start: (log: Log) => connect(peer, log),
		metadata: good,
		nonsense: [
			{ metadata: { ...good, host: undefined }, key: "host" },
			{ metadata: { ...good, host: "https://mail.example.com" }, key: "host" },
			{ metadata: { ...good, port: 0 }, key: "port" },
			{ metadata: { ...good, username: "a\r\nb" }, key: "username" },
			{ metadata: { ...good, password: "" }, key: "password" },
			{ metadata: { ...good, tls: "no" }, key: "tls" },
			{ metadata: { ...good, mailboxes: 7 }, key: "mailboxes" },
		],
		refused: { ...good, password: "password-of-somebody-else" },
		there: () => new Map([...peer.mailboxes.values()].flatMap(({ mails }) => mails.map(({ raw }) => [keys.get(raw) ?? raw, raw] as const))),
		change: async () => {
			peer.add("INBOX", peerMail("nets"));
			peer.remove("INBOX", 2);
			await learn();
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(imap), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("mails", () => {
	test("a mail comes as it was sent, with who, when, where and the conversation it belongs to", async () => {
		const answer = peerMail("2", { subject: "Re: Tides", headers: ["In-Reply-To: <1@example.com>", "References: <0@example.com> <1@example.com>"] });
		const peer = await open({ INBOX: [answer], "Archive/2026": [answer] });
		const { puts } = await sync(peer);
		expect(puts).toEqual([
			{
				key: expect.stringMatching(/^2026-03-01-[\w-]{22}$/),
				content: { kind: "file", bytes: expect.anything(), fileName: "mail.eml", claimedMediaType: "message/rfc822", charset: null, address: null } as never,
				title: "Re: Tides",
				metadata: {
					...{ author: "Ada <ada@example.com>", createdAt: "2026-03-01T10:00:00.000Z", thread: "<0@example.com>", messageId: "<2@example.com>" },
					mailboxes: "Archive/2026, INBOX",
				},
				containerTag: null,
			},
		]);
		expect(puts.map(({ content }) => (content.kind === "file" ? new TextDecoder().decode(content.bytes) : ""))).toEqual([answer]);
	});

	test("nothing on the server is changed: no mail is marked as read, and no mailbox is opened for writing", async () => {
		const peer = await open(inbox("tides", "boats"));
		await sync(peer);
		expect([...(peer.mailboxes.get("INBOX")?.mails ?? [])].flatMap(({ flags }) => [...flags])).toEqual([]);
		const commands = new Set(
			peer.asked.map((command) =>
				command
					.split(" ")
					.slice(0, command.startsWith("UID") ? 2 : 1)
					.join(" ")
					.toUpperCase(),
			),
		);
		for (const command of ["SELECT", "STORE", "UID STORE", "EXPUNGE", "UID EXPUNGE", "APPEND", "CREATE", "DELETE", "RENAME", "SUBSCRIBE"])
			expect([command, commands.has(command)]).toEqual([command, false]);
		expect(commands.has("EXAMINE")).toBe(true);
	});

	test("junk, bin, drafts and what is marked as deleted are left out, and so are mailboxes that cannot be opened", async () => {
		const peer = await open({
			INBOX: ["a", "b", "c"].map((id) => peerMail(id)),
			Spam: [peerMail("d")],
			Bin: [peerMail("e")],
			Drafts: [peerMail("f")],
			Folders: [],
		});
		for (const [path, use] of Object.entries({ Spam: "\\Junk", Bin: "\\Trash", Drafts: "\\Drafts", Folders: "\\Noselect" }))
			peer.mailboxes.get(path)?.attributes.push(use);
		peer.flag("INBOX", 2, "\\Deleted");
		peer.flag("INBOX", 3, "\\Draft");
		expect((await sync(peer)).subjects).toEqual(["a"]);
		expect((await sync(peer, { mailboxes: ["Spam"] })).subjects).toEqual(["d"]);
	});

	test("mails that are too large are left out and told", async () => {
		const peer = await open({ INBOX: [peerMail("a"), peerMail("b", { body: "x".repeat(limits.fileBytesMax) })] });
		const { subjects, warnings } = await sync(peer);
		expect([subjects, warnings]).toEqual([["a"], [expect.stringContaining("IMAP_MAILS_TOO_LARGE: 1 mails")]]);
	});

	test("a mail of which the server tells no day that can be read comes all the same", async () => {
		const peer = await open({ INBOX: [peerMail("a")] });
		peer.add("INBOX", peerMail("b"), new Date(Number.NaN));
		expect((await sync(peer)).subjects.toSorted()).toEqual(["a", "b"]);
	});

	test("mails without a Message-ID are told apart, and a forged one takes the place of no other", async () => {
		const bare = (words: string) => `From: ada@example.com\r\nSubject: ${words}\r\n\r\nsaid ${words}\r\n`;
		const peer = await open({ INBOX: [bare("one"), bare("two"), peerMail("tides"), peerMail("tides", { body: "forged words of another length" })] });
		expect((await sync(peer)).keys.length).toBe(4);
	});

	test("the connection has as many documents as it may, the newest first, and others take the place of what is gone", async () => {
		const peer = await open({ INBOX: [] });
		for (let day = 1; day <= 9; day++) peer.add("INBOX", peerMail(`${day}`), new Date(`2026-03-0${day}T10:00:00Z`));
		const first = await sync(peer, {}, null, 4);
		peer.add("INBOX", peerMail("10"), new Date("2026-03-10T10:00:00Z"));
		peer.asked.length = 0;
		const second = await sync(peer, {}, first.cursor, 4);
		// Of what it knows nothing is asked again, and those beyond the limit are not looked at.
		expect(peer.asked.filter((command) => command.startsWith("UID FETCH")).map((command) => command.split(" ")[2])).toEqual(["10"]);
		peer.remove("INBOX", 7);
		const third = await sync(peer, {}, second.cursor, 4);
		expect([first.subjects, second.subjects, second.removed, third.subjects, third.removed.length]).toEqual([["6", "7", "8", "9"], [], [], ["10"], 1]);
	});
});

describe("changes", () => {
	test("new and removed mails are found by UIDs; a mailbox in which nothing changed costs one command", async () => {
		const peer = await open({ ...inbox("a", "b", "c"), Archive: [peerMail("old")] });
		const first = await sync(peer);
		peer.add("INBOX", peerMail("d"));
		peer.remove("INBOX", 2);
		peer.asked.length = 0;
		const second = await sync(peer, {}, first.cursor);
		expect([second.subjects, second.removed.length]).toEqual([["d"], 1]);
		expect(peer.asked.filter((command) => command.startsWith("UID SEARCH")).length).toBe(1);
		peer.asked.length = 0;
		const third = await sync(peer, {}, second.cursor);
		expect([third.keys, third.removed, peer.asked.filter((command) => command.startsWith("UID"))]).toEqual([[], [], []]);
		peer.flag("INBOX", 1, "\\Deleted");
		expect((await sync(peer, {}, third.cursor)).removed.length).toBe(1);
	});

	test("a server without mod-sequences is searched each time", async () => {
		const peer = await open(inbox("a", "b"));
		peer.hasModseq = false;
		const first = await sync(peer);
		peer.flag("INBOX", 1, "\\Deleted");
		const second = await sync(peer, {}, first.cursor);
		expect([second.keys, second.removed.length]).toEqual([[], 1]);
	});

	test("a mail that is moved keeps its document, and says where it lies now", async () => {
		const peer = await open({ ...inbox("a", "b"), Archive: [] });
		const first = await sync(peer);
		peer.move("INBOX", 1, "Archive");
		const second = await sync(peer, {}, first.cursor);
		const [moved] = second.puts;
		expect([second.puts.length, second.removed, first.keys.includes(moved?.key ?? ""), moved?.metadata["mailboxes"]]).toEqual([1, [], true, "Archive"]);
	});

	test("a mailbox with another name keeps its documents; one that is gone takes them along", async () => {
		const peer = await open({ ...inbox("a"), Boats: [peerMail("b")] });
		const first = await sync(peer);
		peer.mailboxes.set("Ships", peer.mailboxes.get("Boats") ?? { attributes: [], uidValidity: 1, uidNext: 1, modseq: 1, mails: [] });
		peer.mailboxes.delete("Boats");
		const second = await sync(peer, {}, first.cursor);
		expect([second.puts.map(({ metadata }) => metadata["mailboxes"]), second.removed]).toEqual([["Ships"], []]);
		peer.mailboxes.delete("Ships");
		expect((await sync(peer, {}, second.cursor)).removed.length).toBe(1);
	});

	test("UIDs that were given anew make it look again, and bring only what is new", async () => {
		const peer = await open(inbox("a", "b", "c"));
		const first = await sync(peer);
		peer.renumber("INBOX");
		peer.add("INBOX", peerMail("d"));
		const second = await sync(peer, {}, first.cursor);
		expect([second.subjects, second.removed]).toEqual([["d"], []]);
	});

	test("UIDs that are given anew during a sync bring no mail under the key of another", async () => {
		const peer = await open(inbox("a", "b"));
		peer.trouble = (command) => {
			if (!/BODY\.PEEK/.test(command)) return null;
			peer.trouble = null;
			peer.renumber("INBOX");
			return "drop";
		};
		const first = await sync(peer);
		const second = await sync(peer, {}, first.cursor);
		expect([first.keys, second.subjects]).toEqual([[], ["a", "b"]]);
	});
});

describe("mailboxes", () => {
	test("they are listed and chosen; another choice removes what it leaves out", async () => {
		const peer = await open({ ...inbox("a"), "Archive/Grüße": [], Sent: [peerMail("s")] });
		peer.mailboxes.get("Sent")?.attributes.push("\\Sent");
		peer.mailboxes.delete("Archive/Grüße");
		peer.mailboxes.set("Archive/Gr&APwA3w-e", { attributes: [], uidValidity: 9, uidNext: 1, modseq: 1, mails: [] });
		peer.add("Archive/Gr&APwA3w-e", peerMail("g"));
		const connector = await connect(peer);
		const config = connector.configure(metadataFor(peer), 10);
		const listed = await connector.resources?.list(config, { page: 1, perPage: 2, parent: null }, createStep());
		expect([listed?.total, listed?.resources.map(({ id }) => id)]).toEqual([3, ["INBOX", expect.any(String)]]);
		const chosen = connector.resources?.choose(config, [{ id: "Archive/Grüße", name: "Grüße" }]);
		expect(chosen).toEqual({ ...config, mailboxes: ["Archive/Grüße"] });
		expect((await refusalOf(() => connector.resources?.choose(config, [{ name: "Sent" }]))).code).toBe("CONNECTION_INVALID");
		const first = await sync(peer, { mailboxes: "Archive/Grüße, Sent" });
		const second = await sync(peer, { mailboxes: "Sent" }, first.cursor);
		expect([first.subjects, second.subjects, second.removed.length]).toEqual([["g", "s"], [], 1]);
	});

	test("one that cannot be opened keeps its documents, and one that was chosen and is gone is told", async () => {
		const peer = await open({ ...inbox("a"), Archive: [peerMail("b")] });
		const first = await sync(peer);
		peer.trouble = (command) => (command.startsWith("EXAMINE Archive") ? "[NOPERM] not for you" : null);
		const second = await sync(peer, {}, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([[], [], ['IMAP_MAILBOX_FAILED: the mailbox "Archive" was not read: not for you']]);
		expect((await sync(peer, { mailboxes: "INBOX, Boats" })).warnings).toEqual(['IMAP_MAILBOX_MISSING: there is no mailbox "Boats" any more']);
	});

	test.each([
		["that was read before", true],
		["that nobody has seen before", false],
	])("a mail that moved into a mailbox %s and is refused stays for an hour, whatever fails meanwhile", async (_name, wasThere) => {
		const peer = await open({ ...inbox("a", "b"), ...(wasThere && { Archive: [] }) });
		const first = await sync(peer);
		if (!wasThere) peer.mailboxes.set("Archive", { attributes: [], uidValidity: 7, uidNext: 1, modseq: 1, mails: [] });
		peer.move("INBOX", 1, "Archive");
		peer.trouble = (command) => (command.startsWith("EXAMINE Archive") ? "[NOPERM] not now" : null);
		let clock = Date.now();
		const host = createConnectorHost([addressOf(peer)]);
		const connector = await startConnector(imap(), { ...host, world: { ...host.world, now: () => new Date(clock) } });
		const again = (cursor: Cursor | null) => syncOnce(connector, { metadata: metadataFor(peer), cursor });
		const second = await again(first.cursor);
		// The checkpoint of an attempt that fails later is the cursor of the next.
		clock += 59 * 60_000;
		const third = await again(second.cursor);
		clock += 60_000;
		expect([second.removed, third.removed, (await again(third.cursor)).removed.length]).toEqual([[], [], 1]);
		peer.trouble = null;
		expect((await again(third.cursor)).removed).toEqual([]);
	});

	test("a list without any mailbox removes nothing", async () => {
		const peer = await open(inbox("a"));
		const { cursor } = await sync(peer);
		peer.mailboxes.clear();
		expect((await refusalOf(() => sync(peer, {}, cursor))).code).toBe("ADDRESS_CHANGED");
	});
});

describe("trouble", () => {
	test("creating tells a wrong password, a mailbox that is not there and a server that is not reached, and no password", async () => {
		const peer = await open(inbox("a"));
		const check = async (more: Readonly<Record<string, unknown>>, allowed = addressOf(peer)) => {
			const connector = await startConnector(imap(), createConnectorHost([allowed]));
			return refusalOf(() => connector.check?.(connector.configure(metadataFor(peer, more), 10), createStep()));
		};
		const wrong = await check({ password: "wrong-password-of-ada" });
		expect([wrong.code, wrong.message.includes("wrong-password"), wrong.message.includes("Invalid credentials")]).toEqual([
			"CONNECTION_UNAUTHORIZED",
			false,
			true,
		]);
		expect((await check({ mailboxes: "Boats" })).code).toBe("CONNECTION_SOURCE_MISSING");
		expect((await check({}, "mail.example.com:143")).code).toBe("ADDRESS_BLOCKED");
		expect((await check({ tls: true })).code).toBe("ADDRESS_FAILED");
		peer.close();
		expect((await check({})).code).toBe("ADDRESS_FAILED");
	});

	test("a connection that breaks is opened again; a mail that breaks it each time keeps none of the others", async () => {
		const peer = await open(inbox(...Array.from({ length: 7 }, (_, i) => `${i}`)));
		let drops = 1;
		peer.trouble = (command) => {
			if (/UID FETCH 3 .*BODY\.PEEK/.test(command)) return "drop";
			return /BODY\.PEEK/.test(command) && drops-- === 1 ? "drop" : null;
		};
		const first = await sync(peer);
		expect([first.subjects.length, first.warnings]).toEqual([6, [expect.stringContaining("the connection broke")]]);
		peer.trouble = (command) => (/UID FETCH 3 .*BODY\.PEEK/.test(command) ? "[CORRUPTION] unreadable" : null);
		const second = await sync(peer, {}, first.cursor);
		expect([second.subjects, second.warnings]).toEqual([[], [expect.stringContaining("unreadable")]]);
		peer.trouble = null;
		expect((await sync(peer, {}, second.cursor)).subjects).toEqual(["2"]);
	});

	const remark = (path: string, uid: number) => expect.stringContaining(`IMAP_MAIL_FAILED: the mail with the number (UID) ${uid} in the mailbox "${path}"`);
	const corruptIn = (peer: ImapPeer, path: string, ...uids: readonly number[]) => {
		const mailbox = peer.mailboxes.get(path);
		if (mailbox !== undefined) peer.mailboxes.set(path, { ...mailbox, corrupt: new Set(uids) });
	};
	const described = ({ asked }: ImapPeer) => asked.filter((command) => /UID FETCH .*ENVELOPE/.test(command) && !command.includes("BODY"));

	test.each([true, false])("a mail that the server cannot describe keeps none of the others (it goes on behind it: %p), and is tried again", async (goesOn) => {
		const ids = Array.from({ length: 300 }, (_, i) => `${i + 1}`);
		const peer = await open(inbox(...ids));
		peer.goesOn = goesOn;
		corruptIn(peer, "INBOX", 7, 150);
		const first = await sync(peer);
		const good = ids.filter((id) => id !== "7" && id !== "150").toSorted();
		expect([first.subjects, first.warnings, described(peer).length < 40]).toEqual([good, [remark("INBOX", 150)], true]);
		peer.remove("INBOX", 1);
		peer.asked.length = 0;
		const second = await sync(peer, {}, first.cursor);
		expect([second.keys, second.warnings.length, described(peer).map((command) => command.split(" ")[2])]).toEqual([[], 1, ["150,7", "150", "7"]]);
		corruptIn(peer, "INBOX");
		const third = await sync(peer, {}, second.cursor);
		expect([third.subjects, third.removed.length, third.warnings]).toEqual([["150", "7"], 1, []]);
	});

	test("a mailbox of which the server describes nothing keeps its documents, and is not asked for each of thousands of mails", async () => {
		const ids = Array.from({ length: 450 }, (_, i) => `${i + 1}`);
		const peer = await open(inbox("a"));
		const first = await sync(peer);
		for (const id of ids) peer.add("INBOX", peerMail(id));
		corruptIn(peer, "INBOX", ...ids.map((id) => Number(id) + 1));
		const second = await sync(peer, {}, first.cursor);
		expect([second.removed, second.warnings.length, described(peer).length < 420]).toEqual([[], 1, true]);
	});

	test("many mails that the server does not describe keep none back that were not asked for yet", async () => {
		const ids = Array.from({ length: 700 }, (_, i) => `${i + 1}`);
		const peer = await open(inbox(...ids));
		corruptIn(peer, "INBOX", ...Array.from({ length: 250 }, (_, i) => 401 + i));
		const first = await sync(peer);
		peer.add("INBOX", peerMail("new"));
		const second = await sync(peer, {}, first.cursor);
		const third = await sync(peer, {}, second.cursor);
		expect([...first.subjects, ...second.subjects, ...third.subjects].length).toBe(451);
	});

	test("documents stay where their mails were moved, or have new numbers, and the server describes one of them no longer", async () => {
		const peer = await open({ ...inbox("a", "b"), Archive: [] });
		let clock = Date.now();
		const host = createConnectorHost([addressOf(peer)]);
		const connector = await startConnector(imap(), { ...host, world: { ...host.world, now: () => new Date(clock) } });
		const again = (cursor: Cursor | null) => syncOnce(connector, { metadata: metadataFor(peer), cursor });
		const first = await again(null);
		peer.move("INBOX", 1, "Archive");
		corruptIn(peer, "Archive", 1);
		const moved = await again(first.cursor);
		expect([moved.removed, moved.warnings]).toEqual([[], [remark("Archive", 1)]]);
		peer.move("Archive", 1, "INBOX");
		const back = await again(moved.cursor);
		peer.renumber("INBOX");
		corruptIn(peer, "INBOX", 1);
		const renumbered = await again(back.cursor);
		clock += 61 * 60_000;
		const later = await again(renumbered.cursor);
		corruptIn(peer, "INBOX");
		const after = await again(later.cursor);
		expect([back.removed, renumbered.removed, later.removed, after.removed, after.keys]).toEqual([[], [], [], [], []]);
	});

	test("a server that wants to be left alone for a while ends the sync, which goes on after it", async () => {
		const peer = await open(inbox("a", "b"));
		for (const [beginning, words] of [
			["LOGIN", "[UNAVAILABLE] too many connections"],
			["EXAMINE", "[INUSE] somebody else is at it"],
			["UID FETCH", "[LIMIT] bandwidth"],
		] as const) {
			peer.trouble = (command) => (command.startsWith(beginning) ? words : null);
			expect(await refusalOf(() => sync(peer))).toMatchObject({ code: "ADDRESS_FAILED", retryAfterMs: 60_000 });
		}
		peer.trouble = null;
		expect((await sync(peer)).subjects).toEqual(["a", "b"]);
	});
});
