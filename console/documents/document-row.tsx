/** A document in a list: what it is, how far it has come, why it failed, and how to be rid of it. */

import { useLoad } from "../api/use-load.ts";
import type { ListedDocument, WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { State, When } from "../parts/values.tsx";
import { to } from "../route.ts";
import { DeleteDocument } from "./delete-document.tsx";
import { Failure } from "./failure.tsx";

export function DocumentRow({ document, onChanged }: { readonly document: ListedDocument; readonly onChanged: () => void }) {
	const { mayWrite } = useConsole();
	const { id, type, status, containerTags, createdAt, progress, filepath } = document;
	const title = titleOf(document);
	return (
		<article className="row" aria-label={title}>
			<div className="row-main">
				<a className="row-title" href={to("documents", id)}>
					{title}
				</a>
				<span className="hint">
					{type}
					{containerTags.map((tag) => (
						<span key={tag}> · {tag}</span>
					))}
					{filepath !== null && <span> · {filepath}</span>} · <When time={createdAt} />
				</span>
			</div>
			<div className="row-side">
				<State state={status} />
				{progress !== null && (
					<span className="hint">
						{progress.unit} {progress.done} of {progress.total}
					</span>
				)}
				{mayWrite && <DeleteDocument id={id} title={title} onDeleted={onChanged} onRestored={onChanged} />}
			</div>
			{status === "failed" && <FailureOf id={id} onChanged={onChanged} />}
		</article>
	);
}

export function titleOf({ title, metadata, url, customId }: Pick<ListedDocument, "title" | "metadata" | "url" | "customId">): string {
	const name = metadata["filename"];
	return title ?? (typeof name === "string" ? name : null) ?? url ?? customId ?? "Untitled";
}

/** A list does not say why: the document does. */
function FailureOf({ id, onChanged }: { readonly id: string; readonly onChanged: () => void }) {
	const { api } = useConsole();
	const { value } = useLoad(id, (signal) => api.ask<WholeDocument>("GET", `/v3/documents/${encodeURIComponent(id)}`, undefined, signal));
	return value === null ? null : <Failure document={value} onChanged={onChanged} />;
}
