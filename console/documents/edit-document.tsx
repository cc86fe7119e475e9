/** Changes what is said of a document: its title, its path and its metadata. Its text stays as it was read. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { changed } from "../parts/changed.ts";
import { Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";

interface EditDocumentProps {
	readonly document: WholeDocument;
	readonly onChanged: () => void;
}

export function EditDocument({ document: { id, title, filepath, metadata }, onChanged }: EditDocumentProps) {
	const { api, say } = useConsole();
	const { title: _, ...others } = metadata;
	const [draft, setDraft] = useState({ title: title ?? "", filepath: filepath ?? "", metadata: JSON.stringify(others, null, 2) });
	const [fault, setFault] = useState<string | null>(null);
	const { problem, isActing, attempt } = useAttempt();
	const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
	const save = async (values: object) => {
		const named = changed({ title: title ?? "" }, { title: draft.title.trim() });
		const placed = changed({ filepath: filepath ?? "" }, { filepath: draft.filepath.trim() });
		await api.ask("PATCH", `/v3/documents/${encodeURIComponent(id)}`, { metadata: { ...changed(others, values), ...named }, ...placed });
		say({ text: "The document was changed." });
		onChanged();
	};
	const submit = () => {
		const values = readObject(draft.metadata);
		setFault(values === null ? 'Metadata is a JSON object, such as {"team": "boats", "year": 2026}.' : null);
		if (values !== null) attempt(() => save(values));
	};
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				submit();
			}}
		>
			<div className="parameters">
				<Field label="Title" value={draft.title} onChange={(text) => change({ title: text })} />
				<Field label="Path" value={draft.filepath} onChange={(text) => change({ filepath: text })} description="Searches can be limited to a folder of it." />
			</div>
			<Field
				label="Metadata"
				value={draft.metadata}
				onChange={(text) => change({ metadata: text })}
				rows={6}
				problem={fault}
				description="Keys with texts, numbers, true or false, or lists of texts, for filters. A key that you leave out stays as it was."
			/>
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					Save
				</Button>
			</div>
		</Form>
	);
}

function readObject(text: string): object | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
	} catch {
		return null;
	}
}
