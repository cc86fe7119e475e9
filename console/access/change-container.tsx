/** What a container is called and about; its end, and its union with another, for administrators. */

import { type ReactNode, useState } from "react";
import { Button, Form } from "react-aria-components";
import { useContainers } from "../api/use-containers.ts";
import { useLoad } from "../api/use-load.ts";
import type { DescribedContainer } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { changed } from "../parts/changed.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/fields.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { NameField } from "../parts/names.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { counted } from "../parts/values.tsx";

interface ChangeProps {
	readonly tag: string;
	readonly onChanged: () => void;
}

export function ChangeContainer({ tag, onChanged }: ChangeProps) {
	const { api, mayAdminister } = useConsole();
	const path = pathOf(tag);
	const loaded = useLoad(path, (signal) => api.ask<DescribedContainer>("GET", path, undefined, signal));
	return (
		<WhenLoaded loaded={loaded}>
			{(container) => (
				<DescribeForm container={container} onChanged={onChanged}>
					{mayAdminister && <Merge tag={tag} onChanged={onChanged} />}
					{mayAdminister && <Delete tag={tag} onChanged={onChanged} />}
				</DescribeForm>
			)}
		</WhenLoaded>
	);
}

interface DescribeProps {
	readonly container: DescribedContainer;
	readonly onChanged: () => void;
	/** Beside the button that saves. */
	readonly children: ReactNode;
}

function DescribeForm({ container: { containerTag, name, emoji, entityContext }, onChanged, children }: DescribeProps) {
	const { api, say } = useConsole();
	const before = { name: name ?? "", emoji: emoji ?? "", entityContext: entityContext ?? "" };
	const [draft, setDraft] = useState(before);
	const { problem, isActing, attempt } = useAttempt();
	const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
	const save = async () => {
		const { name: renamed, ...others } = changed(before, { name: draft.name, emoji: draft.emoji.trim(), entityContext: draft.entityContext.trim() });
		const called = draft.name.trim() || containerTag;
		await api.ask("PATCH", pathOf(containerTag), { ...others, ...(renamed !== undefined && { name: called }) });
		say({ text: `“${called}” was changed.` });
		onChanged();
	};
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				attempt(save);
			}}
		>
			<div className="parameters">
				<Field
					label="Name"
					value={draft.name}
					onChange={(text) => change({ name: text })}
					maxLength={100}
					description={`Empty means its tag, ${containerTag}.`}
				/>
				<Field label="Emoji" value={draft.emoji} onChange={(text) => change({ emoji: text })} maxLength={10} description="Shown beside the name." />
			</div>
			<Field
				label="What its documents are about"
				value={draft.entityContext}
				onChange={(text) => change({ entityContext: text })}
				rows={2}
				maxLength={1_500}
				description="For example: letters to and from Ada Lovelace, mathematician. A language model is told of it when memories are extracted."
			/>
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					Save
				</Button>
				{children}
			</div>
		</Form>
	);
}

function Merge({ tag, onChanged }: ChangeProps) {
	const { api, say } = useConsole();
	const containers = useContainers();
	const [target, setTarget] = useState("");
	const merge = async () => {
		await api.ask("POST", "/v3/container-tags/merge", { containerTags: [tag, target.trim()], targetContainerTag: target.trim() });
		say({ text: `“${tag}” is being merged into “${target.trim()}”.` });
		onChanged();
	};
	return (
		<Confirm
			label="Merge…"
			about={`the container “${tag}”`}
			question={`Merge “${tag}” into another container?`}
			consequence="All of its documents and memories go there, and this container ends. This cannot be undone."
			action="Merge"
			onConfirm={merge}
			isReady={target.trim() !== "" && target.trim() !== tag}
		>
			<NameField
				label="Into the container"
				names={(containers.value?.tags ?? []).filter((other) => other !== tag)}
				value={target}
				onChange={setTarget}
				description="One that is there."
			/>
		</Confirm>
	);
}

function Delete({ tag, onChanged }: ChangeProps) {
	const { api, say } = useConsole();
	const [typed, setTyped] = useState("");
	const remove = async () => {
		const { deletedDocumentsCount } = await api.ask<{ readonly deletedDocumentsCount: number }>("DELETE", pathOf(tag));
		say({ text: `“${tag}” was deleted with ${counted(deletedDocumentsCount, "document")}.` });
		onChanged();
	};
	return (
		<Confirm
			label="Delete…"
			about={`the container “${tag}”`}
			question={`Delete “${tag}”?`}
			consequence="Its documents that are in no other container go with it, and its memories are forgotten. This cannot be undone."
			action="Delete"
			onConfirm={remove}
			isReady={typed === tag}
		>
			<Field label={`Type ${tag} to go on`} value={typed} onChange={setTyped} autoComplete="off" />
		</Confirm>
	);
}

function pathOf(tag: string): string {
	return `/v3/container-tags/${encodeURIComponent(tag)}`;
}
