/**
 * Style of the API page: one column on a phone, contents beside the text on a desk, light and dark by the
 * reader's system.
 */

export const docsStyle = `
:root { --text: #1d1f24; --dim: #5c6370; --back: #fff; --soft: #f5f4f1; --line: #dedad2; --brand: #a8431f; --code: #f0eee9;
  --get: #1a6b3c; --post: #8a4b00; --patch: #6a3d9a; --delete: #a61b1b; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e3dd; --dim: #a29d93; --back: #17181b; --soft: #1f2125; --line: #35373c; --brand: #f0946c; --code: #26282d;
    --get: #6fcf97; --post: #f2b66d; --patch: #c9a6f2; --delete: #f28b82; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--brand); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
code { background: var(--code); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--code); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; }
small { color: var(--dim); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.45rem; margin: 0 0 .5rem; }
h3 { font-size: 1.12rem; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: .95rem; margin: 1.1rem 0 .4rem; }
p, ul { margin: .5rem 0; }
section { margin-top: 3rem; }
article { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.route { font-size: 1.02rem; margin: .4rem 0 0; }
.route code { background: none; padding: 0; }
.access { color: var(--dim); margin: .2rem 0; }
.or { color: var(--dim); font-style: italic; }
.method { font: 600 .75rem ui-monospace, monospace; color: var(--post); }
.method.get { color: var(--get); } .method.patch, .method.put { color: var(--patch); } .method.delete { color: var(--delete); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
.fields td:first-child { white-space: nowrap; }
.fields td:nth-child(2) { min-width: 8rem; max-width: 20rem; }
.fields td:nth-child(3) { min-width: 14rem; }
.pattern { font-size: .8em; overflow-wrap: anywhere; }
:target { scroll-margin-top: 1rem; }
tr:target, article:target { background: var(--soft); }
details { margin: .6rem 0; }
summary { cursor: pointer; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: .5rem; z-index: 1; }
nav { background: var(--soft); border-top: 1px solid var(--line); padding: 1.2rem 1rem 4rem; font-size: .88rem; }
nav p { font-weight: 600; font-size: 1rem; margin: 0 0 .4rem; }
nav p a { color: inherit; text-decoration: none; }
.to-index { position: fixed; right: 1rem; bottom: 1rem; z-index: 1; padding: .4rem .9rem; border-radius: 2rem; background: var(--brand); color: var(--back);
  text-decoration: none; font-size: .88rem; }
nav h2 { font-size: .78rem; text-transform: uppercase; letter-spacing: .04em; color: var(--dim); margin: 1.1rem 0 .2rem; }
nav ul { list-style: none; padding: 0; margin: 0; }
nav li a { display: block; padding: .14rem 0; color: inherit; text-decoration: none; }
nav li a:hover { color: var(--brand); }
main { padding: 1.5rem 1rem 6rem; max-width: 56rem; margin: 0 auto; }
@media (max-width: 40rem) {
  .fields thead { display: none; }
  .fields tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .fields td { display: inline-block; border: 0; padding: 0 .8rem 0 0; }
  .fields td:nth-child(3) { display: block; padding-top: .2rem; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
  .to-index { display: none; }
  nav { grid-column: 1; grid-row: 1; position: sticky; top: 0; height: 100vh; overflow-y: auto; border-top: 0; border-right: 1px solid var(--line);
    padding: 1.2rem; }
  main { grid-column: 2; grid-row: 1; padding: 2.5rem 3rem 8rem; width: 100%; }
}
@media print { nav, .to-index { display: none; } body { display: block; } }
`;
