/** Why a document failed, what would help, and another try. */

import { useState } from "react";
import { asProblem, type Problem } from "../api/client.ts";
import type { WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { sentence, Trouble } from "../parts/messages.tsx";

export function Failure({ document, onChanged }: { readonly document: WholeDocument; readonly onChanged: () => void }) {
	const { api, mayWrite } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const { id, error } = document;
	if (error === null) return null;
	const retry = async () => {
		try {
			await api.ask("POST", `/v3/documents/${encodeURIComponent(id)}/reprocess`);
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	const remedy = error.hint === null ? null : sentence(error.hint);
	return (
		<>
			<Trouble problem={{ message: error.message, remedy }} {...(mayWrite ? { onRetry: () => void retry() } : {})} />
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}
