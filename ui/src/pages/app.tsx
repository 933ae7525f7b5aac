/** The frame around all pages: bar, rail, page, status bar; what is shown before and without a server. */
import { lazyPage } from '../widgets/lazy';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shown } from '../lib/text';
import { counted } from '../lib/units';
import { current, isForeign, link, phase, retryNow, status, traces, vanished } from '../state/app';
import { bindKeys } from '../state/keys';
import { panel } from '../state/panel';
import { formatRoute, go, parseRoute, route, type PageName } from '../state/route';
import { theme } from '../state/settings';
import { followLinks } from '../state/share';
import { summaryLine } from '../state/status';
import { Icon, Mark, type IconName } from '../widgets/icon';
import { Notices } from '../widgets/parts';
import { bindings, isRailHidden, isTimelineShown, toggleTheme } from './commands';
import { CommandsDialog, HelpDialog, SettingsDialog } from './dialogs';
import { ShareDialog } from './share';
import { LegendDialog } from './timeline_legend';
import { Failed, Opening, Vanished } from './opening';
import { StartPage } from './start';

const TimelinePage = lazyPage(() => import('./timeline').then((m) => m.TimelinePage));
const TimelineBar = lazyPage(() => import('./timeline_bar').then((m) => m.TimelineBar));
const TimelineTools = lazyPage(() => import('./timeline_bar').then((m) => m.TimelineTools));
const MergePage = lazyPage(() => import('./merge').then((m) => m.MergePage));
const ClocksPage = lazyPage(() => import('./clocks').then((m) => m.ClocksPage));
const SqlPage = lazyPage(() => import('./sql').then((m) => m.SqlPage));
const WarningsDialog = lazyPage(() => import('./import_warnings').then((m) => m.WarningsDialog));
const ReportPage = lazyPage(() => import('./report').then((m) => m.ReportPage));

/** Loads the code of the page of an address beside the first requests. A new address leads to the timeline. */
export function preload(hash: string): void {
  const { page } = parseRoute(hash);
  if (page === 'merge') MergePage.preload();
  else if (page === 'clocks') ClocksPage.preload();
  else if (page === 'sql') SqlPage.preload();
  else if (page === 'report') ReportPage.preload();
  else for (const part of [TimelinePage, TimelineBar, TimelineTools]) part.preload();
}

function RailLink(props: { page: PageName; icon: IconName; text: string; trace: string | null; dot?: string }): JSX.Element {
  const isCurrent = route.value.page === props.page;
  return (
    <a href={formatRoute({ page: props.page, trace: props.trace })} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={props.icon} />
      {props.text}
      {props.dot && <span class="dot" role="img" aria-label={props.dot} title={props.dot} />}
    </a>
  );
}

function Rail(): JSX.Element {
  const trace = current.value;
  const troubles = summaryLine.value.troubles;
  return (
    <nav class="rail" aria-label="Pages">
      {trace?.state === 'open' && <RailLink page="timeline" icon="timeline" text="Timeline" trace={trace.trace} />}
      {trace?.state === 'open' && <RailLink page="merge" icon="merge" text="Merge" trace={trace.trace} />}
      {trace?.state === 'open' && <RailLink page="clocks" icon="clocks" text="Clocks" trace={trace.trace} />}
      {trace?.state === 'open' && <RailLink page="sql" icon="sql" text="SQL" trace={trace.trace} />}
      {trace && <RailLink page="report" icon="report" text="Report" trace={trace.trace} {...(troubles > 0 ? { dot: counted(troubles, 'problem') } : {})} />}
      <span class="gap" />
      <RailLink page="start" icon="folder" text="Open" trace={null} />
      <button type="button" onClick={() => (panel.value = 'settings')}>
        <Icon name="settings" />
        Settings
      </button>
      <button type="button" onClick={() => (panel.value = 'help')}>
        <Icon name="help" />
        Help
      </button>
    </nav>
  );
}

function Bar(): JSX.Element {
  const trace = current.value;
  const { files, machines } = summaryLine.value;
  const others = traces.value.length > 1;
  const isTimeline = isTimelineShown.value;
  return (
    <header class={isTimeline ? 'bar three' : 'bar'}>
      <div>
        <a class="mark" href="#/start" aria-label="tracebraid: start page">
          <Mark />
        </a>
        {others && trace ? (
          <select class="select" aria-label="Trace" value={trace.trace}
            onChange={(e) => go(route.value.page === 'start' ? 'timeline' : route.value.page, e.currentTarget.value)}>
            {traces.value.map((t) => (
              <option key={t.trace} value={t.trace}>{shown(t.name)}</option>
            ))}
          </select>
        ) : (
          <span class="set cut" title={trace ? shown(trace.name) : undefined}>{trace ? shown(trace.name) : 'tracebraid'}</span>
        )}
        {files > 0 && <span class="chip">{counted(files, 'file')}</span>}
        {machines > 0 && <span class="chip">{counted(machines, 'machine')}</span>}
      </div>
      {isTimeline && <div><TimelineBar /></div>}
      <div class="end">
        {isTimeline && <TimelineTools />}
        <button type="button" class="btn ghost commands" onClick={() => (panel.value = 'commands')}>
          Commands<kbd>{'>'}</kbd>
        </button>
        <button type="button" class="btn ghost icon" aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'} title={theme.value === 'dark' ? 'Light theme' : 'Dark theme'} onClick={toggleTheme}>
          <Icon name="theme" />
        </button>
      </div>
    </header>
  );
}

/** Says that the server was lost, and when the page tries again. */
function ReconnectBar(): JSX.Element | null {
  const state = link.value;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (state.kind !== 'lost') return undefined;
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), 250);
    return () => window.clearInterval(timer);
  }, [state]);
  if (state.kind !== 'lost') return null;
  const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  return (
    <div class="reconnect" role="alert" data-testid="reconnect">
      <Icon name="warning" />
      {isForeign.value ? (
        <span>The server was started anew with another token. Open the address that it printed; what is shown here stays.</span>
      ) : (
        <span>The server does not answer. {seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again now'}</span>
      )}
      <button type="button" class="btn" onClick={retryNow}>Try now</button>
    </div>
  );
}

function StatusBar(): JSX.Element {
  const trace = current.value;
  const { left, troubles, warnings } = summaryLine.value;
  const words = { open: 'connected', connecting: 'connecting', lost: 'no connection' } as const;
  return (
    <footer class="status">
      {left.length > 0 ? left.map((word) => typeof word === 'string' ? <span key={word}>{shown(word)}</span> : (
        <span key={word.action + word.text}>{shown(word.text)} <button type="button" class="link" onClick={word.run}>{word.action}</button></span>
      )) : <span>{trace ? shown(trace.name) : 'no trace open'}</span>}
      <span class="grow" />
      {warnings > 0 && (
        <button type="button" class="link warnings" onClick={() => (panel.value = 'warnings')}>
          <Icon name="warning" />
          {counted(warnings, 'import warning')}
        </button>
      )}
      {troubles > 0 && trace && (
        <a href={formatRoute({ page: 'report', trace: trace.trace })}>
          <Icon name="warning" />
          {counted(troubles, 'problem')}
        </a>
      )}
      {status.value && <span class="version">tracebraid {shown(status.value.version)}</span>}
      <span data-testid="link">
        <i class={`lamp ${link.value.kind}`} />
        {words[link.value.kind]}
      </span>
    </footer>
  );
}

function Page(): JSX.Element {
  const trace = current.value;
  if (vanished.value) return <Vanished trace={vanished.value} />;
  if (route.value.page === 'start' || !trace) return <StartPage />;
  if (trace.state === 'opening') return <Opening trace={trace} />;
  if (trace.state !== 'open') return <Failed trace={trace} />;
  if (route.value.page === 'timeline') return <TimelinePage />;
  if (route.value.page === 'merge') return <MergePage />;
  if (route.value.page === 'clocks') return <ClocksPage />;
  return route.value.page === 'sql' ? <SqlPage /> : <ReportPage />;
}

function Message({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <main class="page message">
      <div class="empty">
        <Mark />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

function Locked(): JSX.Element {
  return (
    <Message title="This page needs the address that the server printed">
      <p>
        Copy the whole line, with <code>#token=…</code>, from the terminal in which <code>tracebraid serve</code> runs. The token
        changes with each start of the server.
      </p>
    </Message>
  );
}

export function App(): JSX.Element {
  useEffect(() => bindKeys(bindings), []);
  const state = phase.value;
  useEffect(() => (state.kind === 'ready' ? followLinks() : undefined), [state.kind]);
  if (state.kind === 'starting') return <main class="page message" aria-busy="true" aria-label="Loading" />;
  if (state.kind === 'locked') return <Locked />;
  if (state.kind === 'broken')
    return (
      <Message title="The viewer could not start">
        <p>{shown(state.detail)}</p>
        <button type="button" class="btn primary" onClick={() => location.reload()}>Try again</button>
      </Message>
    );
  return (
    <div class={`frame${isRailHidden.value ? ' no-rail' : ''}${link.value.kind === 'lost' ? ' offline' : ''}`}>
      <Bar />
      {!isRailHidden.value && <Rail />}
      <main class="page">
        <ReconnectBar />
        <Page />
      </main>
      <StatusBar />
      <Notices />
      {panel.value === 'help' && <HelpDialog />}
      {panel.value === 'settings' && <SettingsDialog />}
      {panel.value === 'commands' && <CommandsDialog />}
      {panel.value === 'share' && <ShareDialog onClose={() => (panel.value = null)} />}
      {panel.value === 'warnings' && <WarningsDialog />}
      {panel.value === 'legend' && <LegendDialog onClose={() => (panel.value = null)} />}
    </div>
  );
}
