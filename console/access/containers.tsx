/** The containers with what is in them: the first few, and those that a name is typed of. */

import { useState } from "react";
import { Button } from "react-aria-components";
import type { Containers } from "../api/use-containers.ts";
import type { Loaded } from "../api/use-load.ts";
import { useConsole } from "../context.ts";
import { Field } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { counted, When } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";
import { ChangeContainer } from "./change-container.tsx";

const shownAtFirst = 20;

export function ContainerList({ containers }: { readonly containers: Loaded<Containers> }) {
	return (
		<section className="card" aria-labelledby="containers">
			<div className="card-title">
				<h2 id="containers">Containers</h2>
			</div>
			<WhenLoaded loaded={containers}>
				{(value) =>
					value.tags.length === 0 ? (
						<Empty title="There are no containers yet.">
							<p>
								A container is made when a document or a memory is <a href={to("documents")}>added</a> to it.
							</p>
						</Empty>
					) : (
						<Rows containers={value} onChanged={containers.reload} />
					)
				}
			</WhenLoaded>
		</section>
	);
}

function Rows({ containers: { tags, all }, onChanged }: { readonly containers: Containers; readonly onChanged: () => void }) {
	const [wanted, setWanted] = useState("");
	const [shown, setShown] = useState(shownAtFirst);
	const listed = new Map(all.map((container) => [container.containerTag, container]));
	const words = wanted.trim().toLowerCase();
	const fitting = tags.filter((tag) => `${tag} ${listed.get(tag)?.name ?? ""}`.toLowerCase().includes(words));
	return (
		<>
			{tags.length > shownAtFirst && <Field label="Find a container" type="search" value={wanted} onChange={setWanted} />}
			{fitting.length === 0 && <Empty title="No container has these letters." />}
			<ul className="rows">
				{fitting.slice(0, shown).map((tag) => (
					<ContainerRow key={tag} tag={tag} container={listed.get(tag)} onChanged={onChanged} />
				))}
			</ul>
			{fitting.length > shown && (
				<div className="actions">
					<Button className="button" onPress={() => setShown(shown + 5 * shownAtFirst)}>
						Show more of {counted(fitting.length, "container")}
					</Button>
				</div>
			)}
		</>
	);
}

type Listed = Containers["all"][number];

function ContainerRow({ tag, container, onChanged }: { readonly tag: string; readonly container: Listed | undefined; readonly onChanged: () => void }) {
	const { mayWrite } = useConsole();
	return (
		<li>
			<article className="row" aria-label={container?.name ?? tag}>
				<div className="row-main">
					<span className="row-title">{[container?.emoji, container?.name ?? tag].filter(Boolean).join(" ")}</span>
					<span className="hint">
						{container?.name !== undefined && container.name !== tag && `${tag} · `}
						{container?.lastActivityAt != null && (
							<>
								last used <When time={container.lastActivityAt} />
							</>
						)}
						{container !== undefined && "mergeTargetTag" in container && ` · is being merged into ${container.mergeTargetTag}`}
					</span>
				</div>
				<div className="row-side">
					<a href={withQuery(to("documents"), { container: tag })}>{container === undefined ? "Documents" : counted(container.documentCount, "document")}</a>
					<a href={withQuery(to("memories"), { container: tag })}>
						{container === undefined ? "Memories" : counted(container.memoryCount, "memory", "memories")}
					</a>
				</div>
				{mayWrite && (
					<More label="Change" about={`the container “${container?.name ?? tag}”`}>
						{() => <ChangeContainer tag={tag} onChanged={onChanged} />}
					</More>
				)}
			</article>
		</li>
	);
}
