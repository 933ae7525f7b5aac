
Phâ0è
PZ
HºrawÊš?(h
@€‰zPZHºotherš?h
8P’3	
act
	site1	mark2"

rawshown