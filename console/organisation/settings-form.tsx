/** The settings of the organisation, and the way to start over. They hold for what is read from now on. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Settings } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field, Tick } from "../parts/fields.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { BucketFields } from "./bucket-fields.tsx";
import { type Draft, modelUseWords, toChange, toDraft } from "./settings-draft.ts";

export function SettingsForm() {
	const { api } = useConsole();
	const loaded = useLoad("settings", (signal) => api.ask<Settings>("GET", "/v3/settings", undefined, signal));
	return (
		<>
			<section className="card" aria-labelledby="settings">
				<div className="card-title">
					<h2 id="settings">How documents are read from now on</h2>
				</div>
				<WhenLoaded loaded={loaded}>{(settings) => <Fields key={JSON.stringify(settings)} settings={settings} onChanged={loaded.reload} />}</WhenLoaded>
			</section>
			<StartOver />
		</>
	);
}

function Fields({ settings, onChanged }: { readonly settings: Settings; readonly onChanged: () => void }) {
	const { api, say } = useConsole();
	const [draft, setDraft] = useState(() => toDraft(settings));
	const { problem, isActing, attempt } = useAttempt();
	const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
	const save = async () => {
		await api.ask("PATCH", "/v3/settings", toChange(draft, settings));
		say({ text: "The settings were saved." });
		onChanged();
	};
	return (
		<Form
			className="settings"
			onSubmit={(event) => {
				event.preventDefault();
				attempt(save);
			}}
		>
			<Field
				label="What the organisation is about"
				rows={2}
				value={draft.workspacePrompt}
				onChange={(workspacePrompt) => change({ workspacePrompt })}
				maxLength={1500}
			/>
			<Field label="What matters" rows={2} value={draft.filterPrompt} onChange={(filterPrompt) => change({ filterPrompt })} maxLength={750} />
			<div className="parameters">
				{draft.includeItems !== null && (
					<Field
						label="Only memories about"
						rows={3}
						value={draft.includeItems}
						onChange={(includeItems) => change({ includeItems })}
						description="One subject a line. Empty means everything."
					/>
				)}
				{draft.excludeItems !== null && (
					<Field
						label="No memories about"
						rows={3}
						value={draft.excludeItems}
						onChange={(excludeItems) => change({ excludeItems })}
						description="One subject a line."
					/>
				)}
				<Field
					label="Length of a chunk"
					value={draft.chunkSize}
					onChange={(chunkSize) => change({ chunkSize })}
					inputMode="numeric"
					description="In tokens, 32 to 2048. Empty leaves it to the server."
				/>
			</div>
			<Tick isSelected={draft.isFiltering} onChange={(isFiltering) => change({ isFiltering })}>
				Use these two lists
			</Tick>
			<BucketFields buckets={draft.buckets} onChange={(buckets) => change({ buckets })} />
			<ModelUses draft={draft} change={change} />
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					Save the settings
				</Button>
			</div>
		</Form>
	);
}

function ModelUses({ draft: { uses }, change }: { readonly draft: Draft; readonly change: (changes: Partial<Draft>) => void }) {
	return (
		<fieldset className="ticks">
			<legend>What a language model is asked for, where one is configured</legend>
			<Tick isSelected={uses === null} onChange={(isAll) => change({ uses: isAll ? null : [] })}>
				Everything that the operator allows
			</Tick>
			{uses !== null &&
				modelUseWords.map(([use, words]) => (
					<Tick
						key={use}
						isSelected={uses.includes(use)}
						onChange={(isUsed) => change({ uses: isUsed ? [...uses, use] : uses.filter((other) => other !== use) })}
					>
						{words}
					</Tick>
				))}
		</fieldset>
	);
}

function StartOver() {
	const { api, say } = useConsole();
	const [confirmation, setConfirmation] = useState("");
	const reset = async () => {
		await api.ask("POST", "/v3/settings/reset", { confirmation: confirmation.trim() });
		setConfirmation("");
		say({ text: "Everything was taken away. You can begin anew." });
	};
	return (
		<section className="card" aria-labelledby="start-over">
			<div className="card-title">
				<h2 id="start-over">Start over</h2>
				<Confirm
					label="Start over"
					question="Take away everything?"
					consequence="All documents, memories, containers, connections, webhooks and settings are deleted. Keys and the audit log stay. This cannot be undone."
					action="Delete everything"
					onConfirm={reset}
				>
					<Field label="Type RESET to go on" value={confirmation} onChange={setConfirmation} autoComplete="off" />
				</Confirm>
			</div>
			<p className="hint">Deletes all that is stored, for good.</p>
		</section>
	);
}
