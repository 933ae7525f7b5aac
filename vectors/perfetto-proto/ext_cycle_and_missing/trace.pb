
êPhÂâ
ß
Ü
xx"
A
b (2.x.B	
v ("
B
a (2.x.A:0
loop.perfetto.protos.TrackEvent¬M (2.x.A:6
lost.perfetto.protos.TrackEvent­M (2
.x.Missing:3
no_enum.perfetto.protos.TrackEvent®M (2.x.E
PÂ

"ÿÿ
 P@ZHºshallowâê




P@ZHºmissingêêðê
ªP@Z£Hºdeepâê•
’

Œ
‰
†
ƒ
€
~
|
z
x
v
t
r
p
n
l
j
h
f
d
b
`
^
\
Z
X
V
T
R
P
N
L
J
H
F
D
B
@
>
<
:
8
6
4
2
0
.
,
*
(
&
$
"
 















