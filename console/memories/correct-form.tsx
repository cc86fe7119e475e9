/** Writes a new version of a memory; the old one stays in its history. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import type { RevisedMemory } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Field } from "../parts/fields.tsx";
import { sentence } from "../parts/messages.tsx";

interface CorrectFormProps {
	readonly id: string;
	readonly text: string;
	readonly container: string;
	readonly onChanged: () => void;
	readonly close: () => void;
}

export function CorrectForm({ id, text, container, onChanged, close }: CorrectFormProps) {
	const { api, say } = useConsole();
	const [wording, setWording] = useState(text);
	const [problem, setProblem] = useState<Pick<Problem, "message"> | null>(null);
	const save = async () => {
		const newContent = wording.trim();
		if (newContent === "") return setProblem({ message: "A memory has words. To be rid of it, forget it." });
		if (newContent === text) return close();
		try {
			const revised = await api.ask<RevisedMemory>("PATCH", "/v4/memories", { containerTag: container, id, newContent });
			// A correction of the correction: what was known in between stays in the history.
			const undo = async () => {
				await api.ask("PATCH", "/v4/memories", { containerTag: container, id: revised.id, newContent: text });
				onChanged();
			};
			say({ text: "The memory was corrected. Its old version is in its history.", undo });
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<Form
			className="correct"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<Field label="Corrected memory" value={wording} onChange={setWording} rows={3} autoFocus problem={problem === null ? null : sentence(problem.message)} />
			<div className="actions">
				<Button type="submit" className="button filled">
					Save
				</Button>
				<Button className="button quiet" onPress={close}>
					Cancel
				</Button>
			</div>
		</Form>
	);
}
