/** The versions of a memory, the newest first: which took the place of which, when, and where each came from. */

import { useLoad } from "../api/use-load.ts";
import type { NamedDocuments } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { When } from "../parts/values.tsx";
import { to } from "../route.ts";
import type { MemoryItem, Version } from "./memory-item.ts";

/** A memory may rest on hundreds of documents; the first few are named. */
const sourcesShown = 3;

export function Timeline({ item }: { readonly item: MemoryItem }) {
	const { id, text, version, since, updatedAt, documentIds, isWritten, older } = item;
	const newest: Version = { id, text, version, time: since ?? updatedAt, documentIds: since === null ? null : documentIds, isWritten };
	const versions = [newest, ...older];
	const titles = useTitles(versions);
	return (
		<div>
			<h4>History</h4>
			<ol className="timeline" reversed>
				{versions.map((one, i) => (
					<li key={one.id} {...(i === 0 ? { "aria-current": "true" as const } : {})}>
						<p className="text">{one.text}</p>
						<p className="hint">
							version {one.version} · <When time={one.time} />
							{i < versions.length - 1 && ` · took the place of version ${versions[i + 1]?.version}`}
							<Source version={one} titles={titles} />
						</p>
					</li>
				))}
			</ol>
			{older.length === 0 && <p className="hint">Nothing has replaced it and it replaced nothing.</p>}
		</div>
	);
}

type Titles = ReadonlyMap<string, string>;

/** @returns the titles by id, empty until they are there */
function useTitles(versions: readonly Version[]): Titles {
	const { api } = useConsole();
	const ids = [...new Set(versions.flatMap(({ documentIds, isWritten }) => (isWritten === true ? [] : (documentIds ?? []).slice(0, sourcesShown))))];
	const body = { ids, by: "id" };
	const { value } = useLoad(ids.join(" "), async (signal) =>
		ids.length === 0 ? { documents: [] } : await api.ask<NamedDocuments>("POST", "/v3/documents/documents/by-ids", body, signal),
	);
	return new Map(value?.documents.map(({ id, title }) => [id, title ?? "Untitled"]));
}

function Source({ version: { documentIds, isWritten }, titles }: { readonly version: Version; readonly titles: Titles }) {
	if (isWritten === true) return <> · written directly</>;
	const known = (documentIds ?? []).slice(0, sourcesShown).filter((id) => titles.has(id));
	if (known.length === 0) return null;
	return (
		<>
			{" · from "}
			{known.map((id, i) => (
				<span key={id}>
					{i > 0 && ", "}
					<a href={to("documents", id)}>{titles.get(id)}</a>
				</span>
			))}
		</>
	);
}
