/**
 * What concerns the whole organisation, for administrators: settings, models and their use, the record of acts, webhooks, connections;
 * and for operators what concerns the whole server: backups and the organisations.
 */

import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { AuditLog } from "../organisation/audit-log.tsx";
import { Backups } from "../organisation/backups.tsx";
import { Connections } from "../organisation/connections.tsx";
import { Models } from "../organisation/models.tsx";
import { Organisations } from "../organisation/organisations.tsx";
import { SettingsForm } from "../organisation/settings-form.tsx";
import { UsageReport } from "../organisation/usage-report.tsx";
import { Webhooks } from "../organisation/webhooks.tsx";
import { to } from "../route.ts";

const parts = [
	{ name: "settings", label: "Settings", Part: SettingsForm },
	{ name: "models", label: "Models", Part: Models },
	{ name: "usage", label: "Usage", Part: UsageReport },
	{ name: "audit", label: "Audit log", Part: AuditLog },
	{ name: "webhooks", label: "Webhooks", Part: Webhooks },
	{ name: "connections", label: "Connections", Part: Connections },
	{ name: "backups", label: "Backups", Part: Backups, isOperators: true },
	{ name: "organisations", label: "All organisations", Part: Organisations, isOperators: true },
] as const;

export function OrganisationPage({ part: wanted }: { readonly part: string }) {
	const { mayOperate } = useConsole();
	const offered = parts.filter((each) => mayOperate || !("isOperators" in each));
	const { name: here, Part } = offered.find(({ name }) => name === wanted) ?? parts[0];
	return (
		<>
			<PageTitle>Organisation</PageTitle>
			<nav aria-label="Parts of the organisation">
				<ul className="tabs links">
					{offered.map(({ name, label }) => (
						<li key={name}>
							<a href={to("organisation", name)} {...(name === here ? { "aria-current": "page" as const } : {})}>
								{label}
							</a>
						</li>
					))}
				</ul>
			</nav>
			<Part />
		</>
	);
}
