/** Webhooks: where events are posted to, and how that went. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Delivery, NewWebhook, Webhook } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Empty, Trouble, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { When } from "../parts/values.tsx";
import { ChangeWebhookForm, NewWebhookForm } from "./new-webhook.tsx";

export function Webhooks() {
	const { api } = useConsole();
	const [secret, setSecret] = useState<string | null>(null);
	const loaded = useLoad("webhooks", (signal) => api.ask<{ readonly webhooks: readonly Webhook[] }>("GET", "/v3/webhooks", undefined, signal));
	const made = ({ secret: told }: NewWebhook) => {
		setSecret(told);
		loaded.reload();
	};
	return (
		<>
			<NewWebhookForm onMade={made} />
			{secret !== null && <ShownOnce what="secret" kept="it signs every message." secret={secret} close={() => setSecret(null)} />}
			<section className="card" aria-labelledby="webhooks">
				<div className="card-title">
					<h2 id="webhooks">Webhooks</h2>
				</div>
				<WhenLoaded loaded={loaded}>
					{({ webhooks }) =>
						webhooks.length === 0 ? (
							<Empty title="Events are sent nowhere." />
						) : (
							<ul className="rows">
								{webhooks.map((webhook) => (
									<li key={webhook.id}>
										<WebhookRow webhook={webhook} onChanged={loaded.reload} onSecret={made} />
									</li>
								))}
							</ul>
						)
					}
				</WhenLoaded>
			</section>
		</>
	);
}

interface WebhookRowProps {
	readonly webhook: Webhook;
	readonly onChanged: () => void;
	readonly onSecret: (webhook: NewWebhook) => void;
}

function WebhookRow({ webhook, onChanged, onSecret }: WebhookRowProps) {
	const { api, say } = useConsole();
	const { problem, isActing, attempt } = useAttempt();
	const { id, url, isEnabled } = webhook;
	const path = `/v3/webhooks/${encodeURIComponent(id)}`;
	const about = `“${url}”`;
	const send = async () => {
		const { isDelivered, status, error } = await api.ask<Delivery>("POST", `${path}/test`);
		say({ text: isDelivered ? `The test message was taken with ${status}.` : `The test message did not arrive: ${error ?? status}.` });
		onChanged();
	};
	const turn = async () => {
		await api.ask("PATCH", path, { isEnabled: !isEnabled });
		onChanged();
	};
	const remove = async () => {
		await api.ask("DELETE", path);
		onChanged();
	};
	return (
		<article className="row" aria-label={url}>
			<div className="row-main">
				<span className={isEnabled ? "row-title" : "row-title forgotten"}>{url}</span>
				<WebhookFacts webhook={webhook} />
			</div>
			<div className="row-side">
				<Button className="button quiet" isDisabled={isActing} aria-label={`Send a test to ${about}`} onPress={() => attempt(send)}>
					Send a test
				</Button>
				<Button className="button quiet" aria-label={`Turn ${isEnabled ? "off" : "on"} ${about}`} onPress={() => attempt(turn)}>
					Turn {isEnabled ? "off" : "on"}
				</Button>
				<Confirm
					label="New secret"
					about={`for ${about}`}
					question="Make a new secret?"
					consequence="For 24 hours messages carry a signature of the old one too."
					action="Make it"
					onConfirm={async () => onSecret(await api.ask<NewWebhook>("POST", `${path}/rotate`))}
				/>
				<Confirm
					label="Delete"
					about={about}
					question="Delete this webhook?"
					consequence="Nothing is sent there any more. This cannot be undone."
					action="Delete"
					onConfirm={remove}
				/>
			</div>
			{problem !== null && <Trouble problem={problem} />}
			<More label="Change" about={about}>
				{() => <ChangeWebhookForm webhook={webhook} onChanged={onChanged} />}
			</More>
			<More label="Deliveries" about={`to ${about}`}>
				{() => <Deliveries path={path} />}
			</More>
		</article>
	);
}

function WebhookFacts({ webhook: { description, types, containerTags, isEnabled, disabledReason, failingSince } }: { readonly webhook: Webhook }) {
	const words = [description, types === null ? "all events" : types.join(", "), containerTags === null ? "all containers" : containerTags.join(", ")];
	return (
		<span className="hint">
			{words.filter(Boolean).join(" · ")}
			{!isEnabled && ` · turned off${disabledReason === null ? "" : `: ${disabledReason}`}`}
			{failingSince !== null && (
				<>
					{" "}
					· failing since <When time={failingSince} />
				</>
			)}
		</span>
	);
}

function Deliveries({ path }: { readonly path: string }) {
	const { api } = useConsole();
	const loaded = useLoad(path, (signal) => api.ask<{ readonly deliveries: readonly Delivery[] }>("GET", `${path}/deliveries`, undefined, signal));
	return (
		<WhenLoaded loaded={loaded}>
			{({ deliveries }) =>
				deliveries.length === 0 ? (
					<p className="hint">Nothing has been sent there yet.</p>
				) : (
					<ul className="versions">
						{deliveries.map(({ messageId, type, at, isDelivered, status, error, durationMs }) => (
							<li key={`${messageId} ${at}`} className={isDelivered ? "" : "row-problem"}>
								{type} · {isDelivered ? `taken with ${status}` : (error ?? `answered ${status}`)}{" "}
								<span className="hint">
									<When time={at} /> · {durationMs} ms
								</span>
							</li>
						))}
					</ul>
				)
			}
		</WhenLoaded>
	);
}
