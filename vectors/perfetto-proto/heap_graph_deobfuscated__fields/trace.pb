
¾@PÂ¶@"*"	a.b.fB*&/data/app/~~x==/com.app-abc==/base.apkB/+/data/app/~~x==/com.app.more-abc==/base.apkB/system/framework/f.jarJ	a.bJa.b[][]Jjava.lang.Class<a.b>J	a.bJ	a.bJjava.lang.Class<a.c[]>J	int[]
;@P‚4
com.app
a.borg.Real

ffield
a.corg.C