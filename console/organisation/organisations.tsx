/** The organisations of the server, for its operator: one is added with its first key, given quotas, and removed. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Organisation } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/fields.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { When } from "../parts/values.tsx";
import { noQuotas, QuotaFields, toDraft, toQuotas, UsedOfQuotas } from "./quotas.tsx";

/** While data of a removed one is still being erased. */
const lookMs = 2_000;

export function Organisations() {
	const { api } = useConsole();
	const [key, setKey] = useState<string | null>(null);
	const loaded = useLoad(
		"organisations",
		(signal) => api.ask<{ readonly organisations: readonly Organisation[] }>("GET", "/v3/organisations", undefined, signal),
		({ organisations }) => (organisations.some(({ state }) => state === "removing") ? lookMs : null),
	);
	const made = (first: string) => {
		setKey(first);
		loaded.reload();
	};
	return (
		<>
			<NewOrganisation onMade={made} />
			{key !== null && <ShownOnce what="key" kept="it administers the new organisation." secret={key} close={() => setKey(null)} />}
			<section className="card" aria-labelledby="organisations">
				<div className="card-title">
					<h2 id="organisations">Organisations</h2>
				</div>
				<WhenLoaded loaded={loaded}>
					{({ organisations }) => (
						<ul className="rows">
							{organisations.map((organisation) => (
								<li key={organisation.id}>
									<OrganisationRow organisation={organisation} onChanged={loaded.reload} />
								</li>
							))}
						</ul>
					)}
				</WhenLoaded>
			</section>
		</>
	);
}

function NewOrganisation({ onMade }: { readonly onMade: (key: string) => void }) {
	const { api } = useConsole();
	const [name, setName] = useState("");
	const [quotas, setQuotas] = useState(noQuotas);
	const { problem, isActing, attempt } = useAttempt();
	const make = async () => {
		const { key } = await api.ask<{ readonly key: string }>("POST", "/v3/organisations", { name: name.trim(), quotas: toQuotas(quotas) });
		setName("");
		setQuotas(noQuotas);
		onMade(key);
	};
	return (
		<section className="card" aria-labelledby="new-organisation">
			<div className="card-title">
				<h2 id="new-organisation">Add an organisation</h2>
			</div>
			<p className="hint">Its documents, memories, settings and keys are its own: no key reaches beyond its organisation.</p>
			<Form
				className="settings"
				onSubmit={(event) => {
					event.preventDefault();
					attempt(make);
				}}
			>
				<Field label="Name" value={name} onChange={setName} maxLength={200} />
				<QuotaFields draft={quotas} onChange={setQuotas} />
				{problem !== null && <Trouble problem={problem} />}
				<div className="actions">
					<Button type="submit" className="button filled" isDisabled={isActing || name.trim() === ""}>
						Add the organisation
					</Button>
				</div>
			</Form>
		</section>
	);
}

interface OrganisationProps {
	readonly organisation: Organisation;
	readonly onChanged: () => void;
}

function OrganisationRow({ organisation, onChanged }: OrganisationProps) {
	const { session } = useConsole();
	const { id, name, state, usage, quotas, createdAt } = organisation;
	const isOwn = id === session.org?.id;
	const isGoing = state === "removing";
	return (
		<article className="row" aria-label={name}>
			<div className="row-main">
				<span className={isGoing ? "row-title forgotten" : "row-title"}>{name}</span>
				<span className="hint">
					<UsedOfQuotas usage={usage} quotas={quotas} /> · added <When time={createdAt} />
					{isOwn && " · the one of your key"}
					{isGoing && " · its data is being erased"}
				</span>
			</div>
			{!isGoing && !isOwn && (
				<div className="row-side">
					<Remove organisation={organisation} onChanged={onChanged} />
				</div>
			)}
			{!isGoing && (
				<More label="Quotas" about={`of “${name}”`}>
					{() => <ChangeQuotas organisation={organisation} onChanged={onChanged} />}
				</More>
			)}
		</article>
	);
}

function ChangeQuotas({ organisation: { id, name, quotas }, onChanged }: OrganisationProps) {
	const { api, say } = useConsole();
	const [draft, setDraft] = useState(toDraft(quotas));
	const { problem, isActing, attempt } = useAttempt();
	const save = async () => {
		await api.ask("PUT", `${pathOf(id)}/quotas`, toQuotas(draft));
		say({ text: `The quotas of “${name}” were saved.` });
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
			<QuotaFields draft={draft} onChange={setDraft} />
			<p className="hint">What it has beyond a quota stays; it can add no more.</p>
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					Save the quotas
				</Button>
			</div>
		</Form>
	);
}

function Remove({ organisation: { id, name }, onChanged }: OrganisationProps) {
	const { api, say } = useConsole();
	const [typed, setTyped] = useState("");
	const remove = async () => {
		await api.ask("DELETE", pathOf(id));
		say({ text: `“${name}” is being removed.` });
		onChanged();
	};
	return (
		<Confirm
			label="Remove…"
			about={`the organisation “${name}”`}
			question={`Remove “${name}”?`}
			consequence="Its keys stop at once, and all of its data is erased for good. This cannot be undone."
			action="Remove"
			onConfirm={remove}
			isReady={typed === name}
		>
			<Field label={`Type ${name} to go on`} value={typed} onChange={setTyped} autoComplete="off" />
		</Confirm>
	);
}

function pathOf(id: string): string {
	return `/v3/organisations/${encodeURIComponent(id)}`;
}
