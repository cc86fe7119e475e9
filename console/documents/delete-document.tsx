/** Deletes a document after a question, in the way that can be undone. */

import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";

interface DeleteDocumentProps {
	readonly id: string;
	readonly title: string;
	readonly onDeleted: () => void;
	/** After the undo. */
	readonly onRestored: () => void;
}

export function DeleteDocument({ id, title, onDeleted, onRestored }: DeleteDocumentProps) {
	const { api, say } = useConsole();
	const remove = async () => {
		const { removalId } = await api.ask<{ readonly removalId: string | null }>("DELETE", "/v3/documents/bulk", { ids: [id] });
		const undo = async () => {
			await api.ask("POST", "/v3/documents/restore", { removalId });
			onRestored();
		};
		say({ text: `“${title}” was deleted.`, ...(removalId === null ? {} : { undo }) });
		onDeleted();
	};
	return (
		<Confirm
			label="Delete"
			about={`“${title}”`}
			question={`Delete “${title}”?`}
			consequence="Its text, its file and the memories that rest on it alone go with it. You can undo this right afterwards."
			action="Delete"
			onConfirm={remove}
		/>
	);
}
