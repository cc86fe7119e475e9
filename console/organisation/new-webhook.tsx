/** What a webhook sends and where to: the form that makes one, and the form that changes it. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { EventType, NewWebhook, Webhook } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { changed } from "../parts/changed.ts";
import { Field, Tick } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";

const words: Readonly<Record<EventType, string>> = {
	"document.queued": "A document was added",
	"document.done": "A document can be searched",
	"document.failed": "A document failed",
	"document.dreamed": "Its memories are there",
	"document.deleted": "A document was deleted",
	"memory.created": "A memory was learnt",
	"memory.updated": "A memory has a new version",
	"memory.forgotten": "A memory was forgotten",
	"memory.restored": "A memory is back",
	"memory.deleted": "A memory was deleted",
};
const types = Object.entries(words) as readonly (readonly [EventType, string])[];
const empty = { url: "", description: "", containers: "", types: [] as readonly EventType[] };

/** The secret of a new webhook is handed on, since the server tells it only once. */
export function NewWebhookForm({ onMade }: { readonly onMade: (webhook: NewWebhook) => void }) {
	const { api } = useConsole();
	const [turn, setTurn] = useState(0);
	const make = async ({ url, types, containerTags, description }: Wanted) => {
		const body = { url, ...(types && { types }), ...(containerTags && { containerTags }), ...(description && { description }) };
		onMade(await api.ask<NewWebhook>("POST", "/v3/webhooks", body));
		setTurn(turn + 1);
	};
	return (
		<section className="card" aria-labelledby="new-webhook">
			<div className="card-title">
				<h2 id="new-webhook">Send events to an address</h2>
			</div>
			<WebhookForm key={turn} first={empty} action="Make the webhook" send={make} />
		</section>
	);
}

interface ChangeProps {
	readonly webhook: Webhook;
	readonly onChanged: () => void;
}

export function ChangeWebhookForm({ webhook: { id, url, description, types, containerTags }, onChanged }: ChangeProps) {
	const { api, say } = useConsole();
	const first = { url, description: description ?? "", containers: containerTags?.join(", ") ?? "", types: types ?? [] };
	const change = async (wanted: Wanted) => {
		await api.ask("PATCH", `/v3/webhooks/${encodeURIComponent(id)}`, changed({ url, types, containerTags, description }, wanted));
		say({ text: "The webhook was changed." });
		onChanged();
	};
	return <WebhookForm first={first} action="Save" send={change} />;
}

/** As the API takes it: null is everything. */
interface Wanted {
	readonly url: string;
	readonly types: readonly EventType[] | null;
	readonly containerTags: readonly string[] | null;
	readonly description: string | null;
}

interface WebhookFormProps {
	readonly first: typeof empty;
	readonly action: string;
	readonly send: (wanted: Wanted) => Promise<void>;
}

function WebhookForm({ first, action, send }: WebhookFormProps) {
	const [draft, setDraft] = useState(first);
	const { problem, isActing, attempt } = useAttempt();
	const change = (changes: Partial<typeof empty>) => setDraft({ ...draft, ...changes });
	const submit = () => {
		const containerTags = draft.containers.split(/[\s,]+/).filter(Boolean);
		return send({
			url: draft.url.trim(),
			types: draft.types.length === 0 ? null : draft.types,
			containerTags: containerTags.length === 0 ? null : containerTags,
			description: draft.description.trim() || null,
		});
	};
	return (
		<Form
			className="settings"
			onSubmit={(event) => {
				event.preventDefault();
				attempt(submit);
			}}
		>
			<div className="parameters">
				<Field label="Address" type="url" value={draft.url} onChange={(url) => change({ url })} placeholder="https://" />
				<Field
					label="Only of containers"
					value={draft.containers}
					onChange={(containers) => change({ containers })}
					description="Parted by commas. Empty means all."
				/>
				<Field label="Note" value={draft.description} onChange={(description) => change({ description })} />
			</div>
			<fieldset>
				<legend>Only these events; none ticked means all</legend>
				<div className="ticks many">
					{types.map(([type, label]) => (
						<Tick
							key={type}
							isSelected={draft.types.includes(type)}
							onChange={(isWanted) => change({ types: isWanted ? [...draft.types, type] : draft.types.filter((other) => other !== type) })}
						>
							{label}
						</Tick>
					))}
				</div>
			</fieldset>
			{problem !== null && <Trouble problem={problem} />}
			<div className="actions">
				<Button type="submit" className="button filled" isDisabled={isActing}>
					{action}
				</Button>
			</div>
		</Form>
	);
}
