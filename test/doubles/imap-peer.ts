/**
 * A small IMAP server: sign-in, mailboxes with special uses, EXAMINE, UID SEARCH and UID FETCH, as RFC 3501 and RFC 9051 describe them, with
 * mod-sequences (RFC 7162), special uses (RFC 6154) and response codes (RFC 5530). It notes whatever would change something.
 */

import { createServer, type Socket } from "node:net";

export interface PeerMail {
	readonly uid: number;
	readonly raw: string;
	/** When it arrived. */
	readonly arrivedAt: Date;
	readonly flags: Set<string>;
}

export interface PeerMailbox {
	/** Such as `\Sent`, or `\Noselect`. */
	readonly attributes: string[];
	uidValidity: number;
	uidNext: number;
	modseq: number;
	mails: PeerMail[];
	/** UIDs of mails that it cannot fetch: https://www.rfc-editor.org/rfc/rfc9051#section-6.4.5 */
	readonly corrupt?: Set<number>;
}

export interface ImapPeer {
	readonly host: string;
	readonly port: number;
	readonly username: string;
	readonly password: string;
	readonly mailboxes: Map<string, PeerMailbox>;
	/** Commands as they came, without their tags; that of the sign-in without the password. */
	readonly asked: string[];
	/** Answers `NO` and these words, or breaks the connection, in place of the service. */
	trouble: ((command: string, count: number) => string | "drop" | null) | null;
	/** Whether it has mod-sequences. */
	hasModseq: boolean;
	/** Whether a fetch goes on behind a mail that it cannot fetch; RFC 9051 leaves that to the server. */
	goesOn: boolean;
	isStalled: boolean;
	/** Puts a mail into a mailbox. @returns its UID */
	readonly add: (path: string, raw: string, arrivedAt?: Date) => number;
	readonly remove: (path: string, uid: number) => void;
	/** As MOVE does: date and content stay, the UID does not. */
	readonly move: (from: string, uid: number, to: string) => void;
	readonly flag: (path: string, uid: number, flag: string) => void;
	/** Gives all mails of a mailbox new UIDs. */
	readonly renumber: (path: string) => void;
	readonly close: () => void;
}

export function peerMail(id: string, more: { readonly subject?: string; readonly body?: string; readonly headers?: readonly string[] } = {}): string {
	const { subject = `Subject of ${id}`, body = `words of ${id}`, headers = [] } = more;
	const lines = ["From: Ada <ada@example.com>", "To: ben@example.com", `Subject: ${subject}`, "Date: Sun, 01 Mar 2026 10:00:00 +0000", ...headers];
	return `${[...lines, `Message-ID: <${id}@example.com>`, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"].join("\r\n")}\r\n\r\n${body}\r\n`;
}

export async function startImapPeer(mails: Readonly<Record<string, readonly string[]>> = { INBOX: [] }): Promise<ImapPeer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => undefined);
		socket.on("close", () => sockets.delete(socket));
		if (!peer.isStalled) speak(socket, peer);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const mailboxOf = (path: string) => {
		const mailbox = peer.mailboxes.get(path) ?? { attributes: [], uidValidity: 1_000 + peer.mailboxes.size, uidNext: 1, modseq: 1, mails: [] };
		peer.mailboxes.set(path, mailbox);
		return mailbox;
	};
	const put = (path: string, raw: string, arrivedAt: Date, flags = new Set<string>()) => {
		const mailbox = mailboxOf(path);
		const uid = mailbox.uidNext;
		Object.assign(mailbox, { uidNext: uid + 1, modseq: mailbox.modseq + 1, mails: [...mailbox.mails, { uid, raw, arrivedAt, flags }] });
		return uid;
	};
	const peer: ImapPeer = {
		...{ host: "127.0.0.1", port: typeof address === "object" ? (address?.port ?? 0) : 0 },
		...{ username: "ada@example.com", password: "app-password-of-ada", mailboxes: new Map<string, PeerMailbox>(), asked: [] },
		...{ trouble: null, hasModseq: true, goesOn: true, isStalled: false },
		add: (path, raw, arrivedAt = new Date("2026-03-01T10:00:00Z")) => put(path, raw, arrivedAt),
		remove: (path, uid) => {
			const mailbox = mailboxOf(path);
			mailbox.mails = mailbox.mails.filter((mail) => mail.uid !== uid);
			mailbox.modseq++;
		},
		move: (from, uid, to) => {
			const mail = mailboxOf(from).mails.find((one) => one.uid === uid);
			if (mail !== undefined) put(to, mail.raw, mail.arrivedAt, mail.flags);
			peer.remove(from, uid);
		},
		flag: (path, uid, flag) => {
			const mailbox = mailboxOf(path);
			mailbox.mails.find((mail) => mail.uid === uid)?.flags.add(flag);
			mailbox.modseq++;
		},
		renumber: (path) => {
			const mailbox = mailboxOf(path);
			const { mails, uidValidity } = mailbox;
			Object.assign(mailbox, { uidValidity: uidValidity + 1, uidNext: 1, mails: [] });
			for (const { raw, arrivedAt, flags } of mails.toReversed()) put(path, raw, arrivedAt, flags);
		},
		close: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
	for (const [path, raws] of Object.entries(mails)) {
		mailboxOf(path);
		for (const raw of raws) peer.add(path, raw);
	}
	return peer;
}

interface Session {
	isSignedIn: boolean;
	path: string | null;
}

/** One command after the other; a command may have literals, for which the server says when it is ready. */
function speak(socket: Socket, peer: ImapPeer): void {
	const session: Session = { isSignedIn: false, path: null };
	let [pending, command] = ["", ""];
	socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
	socket.on("data", (bytes) => {
		pending += bytes.toString("latin1");
		for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
			const line = command + pending.slice(0, end);
			const [, length, sign] = /\{(\d+)(\+?)\}$/.exec(line) ?? [];
			if (length === undefined) {
				[command, pending] = ["", pending.slice(end + 2)];
				answer(line, session, socket, peer);
				continue;
			}
			if (sign === "") socket.write("+ go on\r\n");
			if (pending.length < end + 2 + Number(length)) return;
			command = `${line.replace(/\{\d+\+?\}$/, "")}"${pending.slice(end + 2, end + 2 + Number(length))}"`;
			pending = pending.slice(end + 2 + Number(length));
		}
	});
}

function answer(line: string, session: Session, socket: Socket, peer: ImapPeer): void {
	const [, tag = "*", rest = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
	peer.asked.push(rest.replace(/^(LOGIN|AUTHENTICATE) .*/i, "$1"));
	if (peer.isStalled) return;
	const trouble = peer.trouble?.(rest, peer.asked.length) ?? null;
	if (trouble === "drop") return void socket.destroy();
	const reply = trouble === null ? replyTo(rest, session, peer) : { lines: [], end: `NO ${trouble}` };
	socket.write(Buffer.from([...reply.lines.map((one) => `* ${one}\r\n`), `${tag} ${reply.end}\r\n`].join(""), "latin1"));
	if (/^LOGOUT/i.test(rest)) socket.end();
}

interface Reply {
	readonly lines: readonly string[];
	readonly end: string;
}

const ok = (lines: readonly string[] = [], end = "OK done"): Reply => ({ lines, end });

function replyTo(command: string, session: Session, peer: ImapPeer): Reply {
	const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, atom]) => quoted?.replace(/\\(.)/g, "$1") ?? atom ?? "");
	const name = words[0]?.toUpperCase() ?? "";
	if (name === "CAPABILITY") return ok([`CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN ID NAMESPACE SPECIAL-USE${peer.hasModseq ? " ENABLE CONDSTORE" : ""}`]);
	if (name === "LOGIN") return signIn(words[1] ?? "", words[2] ?? "", session, peer);
	if (name === "AUTHENTICATE") {
		const [, user = "", password = ""] = Buffer.from(words[2] ?? "", "base64")
			.toString()
			.split("\0");
		return signIn(user, password, session, peer);
	}
	if (name === "LOGOUT") return ok(["BYE"]);
	if (name === "ID") return ok(["ID NIL"]);
	if (!session.isSignedIn) return ok([], "BAD sign in first");
	if (name === "NAMESPACE") return ok(['NAMESPACE (("" "/")) NIL NIL']);
	if (name === "ENABLE") return ok([`ENABLED ${words.slice(1).join(" ")}`]);
	if (name === "NOOP") return ok();
	if (name === "LIST" || name === "LSUB") return listReply(name, words, peer);
	if (name === "EXAMINE") return examineReply(words[1] ?? "", session, peer);
	const mailbox = peer.mailboxes.get(session.path ?? "");
	if (mailbox === undefined) return ok([], "BAD no mailbox is open");
	if (/^UID SEARCH/i.test(command)) return searchReply(command, mailbox);
	if (/^UID FETCH/i.test(command)) return fetchReply(words[2] ?? "", command, mailbox, peer);
	return ok([], "BAD this server reads only");
}

function signIn(user: string, password: string, session: Session, peer: ImapPeer): Reply {
	session.isSignedIn = user === peer.username && password === peer.password;
	return session.isSignedIn ? ok() : ok([], `NO [AUTHENTICATIONFAILED] Invalid credentials of ${user}: ${password}`);
}

function listReply(name: string, words: readonly string[], { mailboxes }: ImapPeer): Reply {
	const pattern = words.find((word) => word !== "" && !/^(LIST|LSUB|RETURN|\(.*)$/i.test(word)) ?? "*";
	const listed = [...mailboxes].filter(([path]) => pattern === "*" || path === pattern);
	return ok(listed.map(([path, { attributes }]) => `${name} (${attributes.join(" ")}) "/" "${path}"`));
}

function examineReply(path: string, session: Session, { mailboxes, hasModseq }: ImapPeer): Reply {
	const mailbox = mailboxes.get(path);
	session.path = mailbox === undefined ? null : path;
	if (mailbox === undefined) return ok([], "NO [NONEXISTENT] there is no such mailbox");
	const { mails, uidValidity, uidNext, modseq } = mailbox;
	const codes = [`UIDVALIDITY ${uidValidity}`, `UIDNEXT ${uidNext}`, hasModseq ? `HIGHESTMODSEQ ${modseq}` : "NOMODSEQ", "PERMANENTFLAGS ()"];
	return ok([`${mails.length} EXISTS`, "FLAGS (\\Seen \\Deleted \\Draft)", ...codes.map((code) => `OK [${code}] noted`)], "OK [READ-ONLY] open");
}

function searchReply(command: string, { mails }: PeerMailbox): Reply {
	const without = [...command.matchAll(/\bUN(DELETED|DRAFT|SEEN)\b/gi)].map(([, flag = ""]) => flag.toLowerCase());
	const found = mails.filter(({ flags }) => ![...flags].some((flag) => without.includes(flag.toLowerCase().slice(1))));
	return ok([["SEARCH", ...found.map(({ uid }) => uid)].join(" ")]);
}

function fetchReply(set: string, command: string, { mails, corrupt = new Set() }: PeerMailbox, { goesOn }: ImapPeer): Reply {
	const ranges = set.split(",").map((range) => range.split(":").map(Number));
	const isIn = (uid: number) => ranges.some(([from = 0, to = from]) => uid >= from && uid <= to);
	const wants = (item: string) => new RegExp(`\\b${item}`, "i").test(command);
	const literal = (text: string) => `{${text.length}}\r\n${text}`;
	const firstCorrupt = mails.findIndex(({ uid }) => isIn(uid) && corrupt.has(uid));
	const rows = mails.entries().flatMap(([at, { uid, raw, arrivedAt, flags }]) => {
		if (!isIn(uid) || corrupt.has(uid) || (!goesOn && firstCorrupt >= 0 && at > firstCorrupt)) return [];
		const items = [`UID ${uid}`];
		if (wants("INTERNALDATE")) items.push(`INTERNALDATE "${imapDate(arrivedAt)}"`);
		if (wants("RFC822.SIZE")) items.push(`RFC822.SIZE ${raw.length}`);
		if (wants("FLAGS")) items.push(`FLAGS (${[...flags].join(" ")})`);
		if (wants("ENVELOPE")) items.push(`ENVELOPE ${envelopeOf(raw)}`);
		if (/HEADER\.FIELDS/i.test(command)) items.push(`BODY[HEADER.FIELDS (REFERENCES)] ${literal(`${/^references:.*$/im.exec(raw)?.[0] ?? ""}\r\n\r\n`)}`);
		// Without PEEK it would be marked as read: EXAMINE forbids that, and so does the test.
		if (/BODY\.PEEK\[\]/i.test(command)) items.push(`BODY[] ${literal(raw)}`);
		else if (/BODY\[\]/i.test(command)) flags.add("\\Seen");
		return [`${at + 1} FETCH (${items.join(" ")})`];
	});
	return ok([...rows], firstCorrupt < 0 ? "OK done" : `NO [CORRUPTION] the mail at ${firstCorrupt + 1} is damaged`);
}

function envelopeOf(raw: string): string {
	const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(raw.split("\r\n\r\n", 1)[0] ?? "")?.[1] ?? null;
	const text = (value: string | null) => (value === null ? "NIL" : `"${value.replace(/["\\]/g, "\\$&")}"`);
	const people = (value: string | null) => {
		const [, name = "", user = "", domain = ""] = /^(?:(.*) )?<?([^<@]+)@([^>]+)>?$/.exec(value ?? "") ?? [];
		return value === null ? "NIL" : `((${text(name === "" ? null : name)} NIL ${text(user)} ${text(domain)}))`;
	};
	const from = people(header("From"));
	return `(${[text(header("Date")), text(header("Subject")), from, from, from, people(header("To")), "NIL", "NIL", text(header("In-Reply-To")), text(header("Message-ID"))].join(" ")})`;
}

function imapDate(at: Date): string {
	const [, day = "", month = "", year = "", time = ""] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(at.toUTCString()) ?? [];
	return `${day}-${month}-${year} ${time} +0000`;
}
