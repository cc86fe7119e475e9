/** Why a document failed, what would help, and another try where the server can make one. */

import { useState } from "react";
import { asProblem, type Problem } from "../api/client.ts";
import type { WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { sentence, Trouble } from "../parts/messages.tsx";

export function Failure({ document, onChanged }: { readonly document: WholeDocument; readonly onChanged: () => void }) {
	const { api, mayWrite } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const { id, error, url, content } = document;
	if (error === null) return null;
	// A file cannot be sent again from here: only its owner has it.
	const again = url ?? content;
	const retry = async () => {
		try {
			await api.ask("PATCH", `/v3/documents/${encodeURIComponent(id)}`, { content: again });
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	const isLost = again === null;
	const remedy = [error.hint, isLost ? "then delete it here and upload the file again" : null]
		.filter((words) => words !== null)
		.map(sentence)
		.join(" ");
	return (
		<>
			<Trouble problem={{ message: error.message, remedy: remedy === "" ? null : remedy }} {...(isLost || !mayWrite ? {} : { onRetry: () => void retry() })} />
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}
