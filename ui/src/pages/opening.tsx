/** A trace that is being read, could not be opened, or was lost with its server. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { cancelJob, type TraceInfo } from '../api/traces';
import { errorText } from '../api/http';
import { shown, shownLines } from '../lib/text';
import { bytesText, counted, countText, spanText } from '../lib/units';
import { jobs, open, type JobView } from '../state/app';
import { go } from '../state/route';
import { Icon } from '../widgets/icon';
import { Progress } from '../widgets/parts';

const amount = (value: number, unit: string): string => (unit === 'B' ? bytesText(value) : `${countText(value)} ${unit}`.trim());

/** Returns "1.2 of 4.0 GB, 310 MB/s, 9 s left" as separate texts; unknown parts are left out. */
function progressTexts(job: JobView): string[] {
  const done = job.done ?? 0;
  const total = job.total ?? 0;
  const unit = job.unit ?? 'B';
  const texts = [total > 0 ? `${amount(done, unit)} of ${amount(total, unit)}` : amount(done, unit)];
  if (job.speed > 0) {
    texts.push(`${amount(Math.round(job.speed), unit)}/s`);
    if (total > done) texts.push(`${spanText(BigInt(Math.ceil((total - done) / job.speed)) * 1_000_000_000n)} left`);
  }
  return texts;
}

function Inputs({ trace }: { trace: TraceInfo }): JSX.Element {
  return (
    <ul class="inputs" aria-label="Inputs">
      {trace.inputs.slice(0, 200).map((input) => (
        <li key={input.path ?? input.name}>
          <Icon name="file" small />
          <span class="cut">{shown(input.name)}</span>
          {input.size !== undefined && <span class="num t3">{bytesText(input.size)}</span>}
        </li>
      ))}
      {trace.inputs.length > 200 && <li class="t3">and {countText(trace.inputs.length - 200)} more</li>}
    </ul>
  );
}

export function Opening({ trace }: { trace: TraceInfo }): JSX.Element {
  const job = trace.job === undefined ? undefined : jobs.value.get(trace.job);
  const stage = job?.stage ?? 'waiting';
  return (
    <div class="page-in">
      <section class="card opening" aria-label="Progress">
        <h1>Opening {shown(trace.name)}</h1>
        <p class="t2">{trace.inputs.length > 0 ? counted(trace.inputs.length, 'input') : 'Reading the inputs'}</p>
        <Progress done={job?.done ?? 0} total={job?.total ?? 0} label={`Opening: ${stage}`} />
        <p class="facts" data-testid="progress">
          <b>{shown(stage)}</b>
          {job && progressTexts(job).map((text) => <span key={text} class="mono">{text}</span>)}
          <span class="grow" />
          {job && (job.state === 'queued' || job.state === 'running') && (
            <button type="button" class="btn" onClick={() => void cancelJob(job.job).catch(() => undefined)}>Cancel</button>
          )}
        </p>
        <Inputs trace={trace} />
      </section>
    </div>
  );
}

/** Opens the same inputs again; the reason of a failure stands below the button. */
function Again({ trace }: { trace: TraceInfo }): JSX.Element {
  const [error, setError] = useState('');
  const again = (): void => {
    open(trace.inputs).catch((reason: unknown) => setError(errorText(reason)));
  };
  const isLost = trace.inputs.length === 0 || trace.inputs.some((i) => i.path === undefined);
  return (
    <>
      <p class="actions">
        {!isLost && <button type="button" class="btn primary" onClick={again}>Open again</button>}
        <button type="button" class={isLost ? 'btn primary' : 'btn'} onClick={() => go('start', null)}>Start page</button>
      </p>
      {error !== '' && <p class="help bad" role="alert">{shown(error)}</p>}
    </>
  );
}

export function Failed({ trace }: { trace: TraceInfo }): JSX.Element {
  return (
    <div class="page-in">
      <section class={trace.state === 'cancelled' ? 'card opening' : 'card bad opening'}>
        {trace.state === 'cancelled' ? (
          <h1>Opening {shown(trace.name)} was cancelled</h1>
        ) : (
          <>
            <h1><Icon name="lost" /> {shown(trace.name)} could not be opened</h1>
            <pre class="reason">{shownLines(trace.error?.detail ?? trace.error?.title ?? 'The server gave no reason.')}</pre>
          </>
        )}
        <Inputs trace={trace} />
        <Again trace={trace} />
      </section>
    </div>
  );
}

/** The server was started anew without this trace. */
export function Vanished({ trace }: { trace: TraceInfo }): JSX.Element {
  return (
    <div class="page-in">
      <section class="card opening">
        <h1>The server no longer has {trace.inputs.length > 0 ? shown(trace.name) : 'this trace'}</h1>
        <p class="t2">
          {trace.inputs.some((i) => i.path === undefined)
            ? 'It was restarted, and files that were uploaded are gone with it. Drop them on the start page again.'
            : 'It was restarted. The inputs can be opened again.'}
        </p>
        {trace.inputs.length > 0 && <Inputs trace={trace} />}
        <Again trace={trace} />
      </section>
    </div>
  );
}
