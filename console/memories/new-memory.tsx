/** Writes a memory by hand into the container that is looked at. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { WrittenMemories } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Field, Tick } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";

interface NewMemoryProps {
	readonly container: string;
	readonly onChanged: () => void;
}

export function NewMemory({ container, onChanged }: NewMemoryProps) {
	const { api, say } = useConsole();
	const [content, setContent] = useState("");
	const [isStatic, setStatic] = useState(false);
	const [isEmpty, setEmpty] = useState(false);
	const { problem, isActing, attempt } = useAttempt();
	const write = async () => {
		const { memories } = await api.ask<WrittenMemories>("POST", "/v4/memories", {
			containerTag: container,
			memories: [{ content: content.trim(), isStatic }],
		});
		const undo = async () => {
			const ids = memories.map(({ id }) => id);
			await api.ask("POST", "/v4/memories/forget-matching", { containerTag: container, ids, reason: "written by mistake" });
			onChanged();
		};
		say({ text: `“${content.trim()}” is remembered.`, undo });
		setContent("");
		setStatic(false);
		onChanged();
	};
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				setEmpty(content.trim() === "");
				if (content.trim() !== "") attempt(write);
			}}
		>
			<Field
				label="Memory"
				value={content}
				onChange={setContent}
				rows={2}
				problem={isEmpty ? "Write what is to be remembered first." : null}
				description="One statement that can be understood alone, with names: Ada lives in Lisbon."
			/>
			<Tick isSelected={isStatic} onChange={setStatic}>
				A lasting trait, which the profile always has
			</Tick>
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					Remember
				</Button>
			</div>
		</Form>
	);
}
