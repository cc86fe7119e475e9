/** Makes a connection: to what every server reads, to a service where somebody signs in, or to what a plugin of this one reads. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { Problem } from "../api/client.ts";
import { useContainers } from "../api/use-containers.ts";
import type { CreatedConnection } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Choice, Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { NameField } from "../parts/names.tsx";
import { useAttempt } from "../parts/use-attempt.ts";

const kinds = [
	{ id: "web-crawler", label: "A website" },
	{ id: "s3", label: "A bucket (S3)" },
	{ id: "github", label: "GitHub" },
	{ id: "notion", label: "Notion" },
	{ id: "webdav", label: "Nextcloud or other WebDAV" },
	{ id: "rss", label: "A feed (RSS or Atom)" },
	{ id: "folder", label: "A folder of the server" },
	{ id: "google-drive", label: "Google Drive" },
	{ id: "gmail", label: "Gmail" },
	{ id: "imap", label: "Mail (IMAP)" },
	{ id: "onedrive", label: "OneDrive and SharePoint" },
	{ id: "dropbox", label: "Dropbox" },
	{ id: "", label: "What a plugin reads" },
];

interface Wanted {
	readonly name: string;
	readonly label: string;
	readonly description?: string;
	readonly isSecret?: boolean;
}

const wanted: Readonly<Record<string, readonly Wanted[]>> = {
	"web-crawler": [
		{ name: "startUrl", label: "Where to begin", description: "An address such as https://example.com/." },
		{ name: "include", label: "Only paths", description: "Patterns, parted by commas: /docs/**" },
		{ name: "exclude", label: "No paths", description: "Patterns, parted by commas." },
	],
	s3: [
		{ name: "bucket", label: "Bucket" },
		{ name: "region", label: "Region" },
		{ name: "accessKeyId", label: "Access key id" },
		{ name: "secretAccessKey", label: "Secret access key", isSecret: true, description: "It is kept sealed and never shown." },
		{ name: "endpoint", label: "Endpoint", description: "For a service other than AWS." },
		{ name: "prefix", label: "Only names that begin with" },
	],
	github: [
		{ name: "token", label: "Personal access token", isSecret: true, description: "It is kept sealed and never shown. Leave it out to sign in." },
		{ name: "repositories", label: "Repositories", description: "Names, parted by commas: example/handbook" },
		{ name: "include", label: "Only paths", description: "Patterns, parted by commas: /docs/**" },
		{ name: "exclude", label: "No paths", description: "Patterns, parted by commas." },
	],
	notion: [
		{ name: "token", label: "Token of an integration", isSecret: true, description: "It is kept sealed and never shown. Leave it out to sign in." },
		{ name: "pages", label: "Only pages", description: "Ids or addresses, parted by commas; these and what is in them." },
	],
	webdav: [
		{ name: "url", label: "Folder", description: "https://cloud.example.com/remote.php/dav/files/ada/Papers" },
		{ name: "username", label: "User name" },
		{ name: "password", label: "App password", isSecret: true, description: "It is kept sealed and never shown." },
		{ name: "include", label: "Only paths", description: "Patterns, parted by commas: /notes/**" },
		{ name: "exclude", label: "No paths", description: "Patterns, parted by commas." },
	],
	rss: [{ name: "feedUrl", label: "Feed", description: "The address of the feed itself: https://example.com/feed.xml" }],
	folder: [
		{ name: "path", label: "Folder", description: "An absolute path, below one that the operator allows in CAIRN_FOLDERS." },
		{ name: "include", label: "Only paths", description: "Patterns, parted by commas: /notes/**" },
		{ name: "exclude", label: "No paths", description: "Patterns, parted by commas." },
	],
	"google-drive": [{ name: "folders", label: "Only folders", description: "Their ids, parted by commas: what follows /folders/ in an address." }],
	gmail: [{ name: "labels", label: "Only labels", description: "Their ids, parted by commas: INBOX, SENT." }],
	imap: [
		{ name: "host", label: "Mail server", description: "imap.example.com" },
		{ name: "username", label: "User name", description: "Mostly the address." },
		{ name: "password", label: "App password", isSecret: true, description: "It is kept sealed and never shown." },
		{ name: "mailboxes", label: "Only mailboxes", description: "Their names, parted by commas: INBOX, Archive/2026." },
		{ name: "port", label: "Port", description: "993 unless said." },
	],
	onedrive: [{ name: "folders", label: "Only folders", description: "Ids of drives and folders, parted by commas, as the API lists them." }],
	dropbox: [
		{ name: "folders", label: "Only folders", description: "Paths or ids, parted by commas: /Homework" },
		{ name: "teamSpace", label: "The team's space", description: "true begins at the root of the team instead of at your folder." },
	],
	"": [
		{ name: "provider", label: "Provider", description: "The name that the plugin has." },
		{ name: "json", label: "Metadata", description: "What it needs, as JSON. It is kept sealed as far as it is secret.", isSecret: true },
	],
};

const ways = [
	{ id: "browser", label: "in this browser" },
	{ id: "device", label: "with a code, on another device" },
];
/** Providers that have the second. */
const withCodes: ReadonlySet<string> = new Set(["github", "onedrive"]);

/** Why somebody was not signed in: the code of the error, with which the server sends the browser back here. */
function refusedSignIn(): Problem | null {
	const code = new URLSearchParams(location.search).get("error");
	if (code === null || !/^[A-Z_]{1,60}$/.test(code)) return null;
	return new Problem(0, code, `The sign-in has failed (${code}).`, "Connect again, and allow what is asked for.");
}

function readJson(text: string): object {
	try {
		return JSON.parse(text) as object;
	} catch {
		throw new Problem(0, "INPUT_INVALID", "The metadata is no JSON.", 'Write it as {"token": "…"}.');
	}
}

export function NewConnection({ onMade }: { readonly onMade: () => void }) {
	const { api, say } = useConsole();
	const containers = useContainers();
	const [kind, setKind] = useState("web-crawler");
	const [container, setContainer] = useState("");
	const [limit, setLimit] = useState("");
	const [way, setWay] = useState("browser");
	const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
	const [refused] = useState(refusedSignIn);
	const { problem, isActing, attempt } = useAttempt();
	const trouble = problem ?? refused;
	const make = async () => {
		const {
			provider = kind,
			json = "{}",
			...rest
		} = Object.fromEntries((wanted[kind] ?? []).flatMap(({ name }) => (given[name]?.trim() ? [[name, given[name].trim()]] : [])));
		const body = {
			...(container.trim() === "" ? {} : { containerTag: container.trim() }),
			...(limit.trim() === "" ? {} : { documentLimit: Number(limit) }),
			metadata: kind === "" ? readJson(json) : rest,
			redirectUrl: `${location.origin}${location.pathname}${location.hash}`,
			...(withCodes.has(kind) && way === "device" && { signIn: "device" }),
		};
		const made = await api.ask<CreatedConnection>("POST", `/v3/connections/${encodeURIComponent(provider)}`, body);
		if (made.userCode !== undefined)
			return say({ text: `Open ${made.authLink} on any device, and type in ${made.userCode}. It is valid for ${made.expiresIn}.` });
		if (made.authLink !== "") return location.assign(made.authLink);
		setGiven({});
		say({ text: "The connection was made, and its first sync has begun." });
		onMade();
	};
	return (
		<section className="card" aria-labelledby="new-connection">
			<div className="card-title">
				<h2 id="new-connection">Connect a service</h2>
			</div>
			<Form
				className="settings"
				onSubmit={(event) => {
					event.preventDefault();
					attempt(make);
				}}
			>
				<div className="parameters">
					<Choice label="Read" options={kinds} value={kind} onChange={setKind} />
					<NameField
						label="Into the container"
						names={containers.value?.tags ?? []}
						value={container}
						onChange={setContainer}
						description="A name of your own, or one from the list."
					/>
					{withCodes.has(kind) && <Choice label="Sign in" options={ways} value={way} onChange={setWay} />}
					<Field label="At most" inputMode="numeric" value={limit} onChange={setLimit} description="Documents at any time, up to 10000." />
					{(wanted[kind] ?? []).map(({ name, label, description, isSecret = false }) => (
						<Field
							key={name}
							label={label}
							value={given[name] ?? ""}
							onChange={(value) => setGiven({ ...given, [name]: value })}
							{...(description === undefined ? {} : { description })}
							{...(isSecret ? { type: "password" as const, autoComplete: "off" } : {})}
						/>
					))}
				</div>
				{trouble !== null && <Trouble problem={trouble} />}
				<div className="actions">
					<Button type="submit" className="button filled" isDisabled={isActing}>
						Connect
					</Button>
				</div>
			</Form>
		</section>
	);
}
